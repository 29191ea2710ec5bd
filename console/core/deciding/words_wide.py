"""How people say guarded things without the terms of the trade, in eleven languages. See words_actions for the notation."""

WIDE: dict[str, str] = {
    "GUARD": """still_get_in still_log_in still_logs_in still_logged still_signed can_still_access get_in gets_in kick_out kick_them log_everybody_out sign_everybody_out attempts guessing guess_the brute
        ex-employee* former_employee* deactivated disabled_account* disabled_user* suspended banned block_user* blocked_user* blocked_person revoke* revocation must_not_see may_not_see should_not_see
        shouldn't_see should_only_see can_only_see may_see who_may who_can allowed_to only_admin* only_owner* only_the_author only_the_creator only_member* ownership hand_over take_over takeover approve approval
        clear_text cleartext plain_text plaintext in_clear in_the_clear single_use single-use one-time one_time run_out works_forever never_expire* never_end* expire* expiry expiration traversal sanitiz* sanitis*
        escape_html unescaped script_tag inject* malicious attacker* exploit* forged forge spoof* phishing captcha verify_the_e-mail verify_email confirm_the_password e-mail_verification consent
        exposed leak* leaks_the visible_to_everyone visible_to_all visible_to_customers public_link* shared_link* share_link* shareable_link* guest_access guest_link* anonymous anonymously publicly least_privilege
        read-only_access read-only_role viewer_role superuser root_user service_account* signature_check verify_the_signature signed_url* presigned allow-list whitelist* blacklist* ip_address* ip_range* ip-range
        passcode pin_code fingerprint face_id biometric* device_list trusted_device* remember_me stay_logged keep_me other_devices all_devices referrer csp content_security frame-ancestors clickjack* innerhtml 
        dangerous_html markdown_html x-frame masked redact* pseudonym* workspace_member* membership supervisor_role who_is_allowed impersonate on_behalf
        encore_se_connecter toujours_accès peut_encore peuvent_encore tentatives essais bloquer_le_compte bloquer_l'accès comptes_désactivés compte_désactivé anciens_employés ne_doit_pas_voir ne_doit_voir ne_doivent_pas
        réservé_aux en_clair usage_unique durée_de_vie expire* lien_public lien_de_partage liens_de_partage invitation* révoqu* accès_aux autorisé* seuls_les seul_le propriétaire* fuite déconnect* reconnect* masquer_les_données
        pirat* double_facteur code_pin rôle* permission* habilitation* cloisonn*
        weiterhin_anmelden noch_einloggen noch_anmelden kommen_noch angemeldet* abgemeldet* ausgeloggt eingeloggt* versuche fehlversuch* sperr* gesperrt* deaktivierte ehemalige ausgeschiedene darf_nur dürfen_nur darf_nicht
        dürfen_nicht nicht_sehen_dürfen nur_admins nur_der_ersteller nur_der_autor klartext im_klartext einmalig* einmal_gültig gültigkeit* ablaufen läuft_ab freigabelink* einladungslink* öffentlich_erreichbar ohne_login
        widerruf* entzogen rechtekonzept leserecht* schreibrecht* lesezugriff nur_lesen geschwärzt maskier* datenschutz* dsgvo zertifikat* signatur_prüfen skript_ausgeführt einschleus* angreifer* lücke 
        todavía_pueden_entrar aún_puede sigue_entrando siguen_entrando pueden_entrar intentos bloquear_la_cuenta bloquear_el_acceso desactivad* dados_de_baja exemplead* no_debe_ver no_deberían_ver solo_los_admin* solo_el_autor
        solo_puede_ver texto_plano texto_claro un_solo_uso caduque caduca* enlace_público enlace_de_invitación revocar propietari* fuga cerrar_sesión cerrar_las_sesiones rgpd enmascar* atacante* agujero 
        ainda_conseguem ainda_consegue continua_entrando continuam_entrando tentativas bloquear_a_conta bloquear_o_acesso desligad* ex-funcionári* não_deve_ver não_deveria_ver só_admin* só_o_autor somente_administrador*
        só_pode_ver texto_puro texto_claro uso_único link_público link_de_convite revogar proprietári* vazament* vazando encerrar_sessões lgpd mascar* invasor* brecha 
        ancora_accedere possono_ancora può_ancora riesce_ad_entrare tentativi bloccare_l'account bloccare_l'accesso disattivat* ex_dipendent* non_deve_vedere non_devono_vedere solo_gli_admin* solo_l'autore in_chiaro monouso
        una_sola_volta più_volte scadenza link_pubblico link_di_invito revoc* proprietar* disconnett* mascher* aggressor* falla 
        nadal_może_się nadal_mogą wciąż_może prób próbach próby zablokow* blokad* blokow* zwolnion* byli_pracownicy nie_powinien_widzieć nie_może_widzieć tylko_administrator* tylko_autor tylko_swoj* jawnym_tekst* jednorazow*
        ważnoś* link_publiczn* link_zapros* unieważn* odebra* właściciel* wyciek* wylog* rodo maskow* luka atak* pensje pensji
        всё_ещё_может ещё_могут по-прежнему_может могут_войти может_войти попыт* блокир* заблокир* бан уволен* бывш*_сотрудник* не_должен_видеть не_должны_видеть только_админ* только_автор только_свои открытом_виде
        одноразов* срок_действия без_входа без_пароля ссылк*_на_приглаш* отозв* отзыв_токен* владел* утеч* разлог* маскир* злоумышл* дыра разграничен* уволили
        仍能登录 还能登录 仍可登录 还可以登录 尝试次数 锁定 封禁 禁用的 离职 不应该看到 不能看到 只能看到 只能查看 仅管理员 管理员页面 作者本人 明文 一次性 有效期 长期有效 分享链接 邀请链接 撤销 所有者 泄露 退出登录
        踢下线 打码 攻击 脚本注入 检查权限 都能看到 都能访问 直接访问 实名 白名单 黑名单 其他设备 单点 绕过 绕开
        ログインできてしまう 見えてしまう 見られてしまう アクセスできてしまう 試行回数 凍結 退会した 退職 見えないように 見せない 自分のだけ 管理者のみ 管理者だけ 本人だけ 本人のみ 平文 一度だけ ワンタイム 期限切れ 無期限 共有リンク
        招待リンク 失効 所有者 漏洩 強制ログアウト ログアウトさせ マスク エスケープ 攻撃 無効化され 弾く 権限チェック 誰でも見 できてしまう なりすまし 多要素 ホワイトリスト
        로그인됩니다 로그인이_됩니다 접속할_수 시도_횟수 잠금 잠그 차단 정지된 퇴사 탈퇴한 보이면_안 보지_못 본인만 본인_것만 관리자만 평문 일회용 일회성 유효_기간 유효기간 공유_링크 초대_링크 회수 소유자 유출 강제_로그아웃
        로그아웃되 마스킹 공격 이스케이프 권한_체크 우회 화이트리스트 다른_기기 생체 지문""",
    "GUARD_SOFT": """access team_member* staff support_role employees hr pin code codes invite invites link links scripts upload* attachments_from internal_notes personal address phone_number* e-mail_addresses profile_picture
        hidden unpublished draft_of salaries salary trust trusted user_id in_the_url parameter_in change_the_id changing_the_id the_number_in_the_url somebody anyone everyone everybody admin_panel admin_page backend_access
        support_staff moderator* follower* member members of_other of_others
        accès employés lien liens personnel stagiaire* équipe *bleibt zugriff mitarbeiter* link links einladung* gast personal* adresse id_in_der_url empleados enlace enlaces personal acceso equipo funcionári* link links acesso equipe
        dipendent* link accesso personale pracowni* link linku dostęp сотрудник* ссылк* доступ персонал 员工 链接 访问 邀请 职员 スタッフ 従業員 リンク アクセス 招待 アカウント 직원 링크 접근 초대 계정 회원""",
    "DEAL": """restocking pay_back paid_back pays_back money_back full_amount list_price price_list price_per minimum_order free_trial trial_period cost_of take_money takes_money debit debited 
        loyalty credit_card card_is charged_for charged_again instalment* installment* deposit donations donation tipping booking_fee late_fee penalty rebate volume_discount wholesale bulk_price member_price
        early-bird early_bird renewal renewals yearly monthly_fee membership_fee per_seat pro-rata cancellation_fee revenue_share royalties affiliate points_per 
        overcharg* undercharg* short_by too_much too_little missing_cents wrong_amount wrong_total sum_is purchase_price cart_becomes negative_total dollar* pounds chf sek
        accounting bookkeeping ledger payable receivable bank_transfer direct_debit chargeback* payment_provider payment_method* checkout_session invoice_number* invoice_numbering price_rounding
        frais_de remboursé* remboursement* prélèvement* trop-perçu acompte caution intérêts pénalité* tarif*_dégressif* essai_gratuit mensualité* virement* panier_négatif comptab* prime ristourne* 
        abrechn* verrechnet netto-* brutto* skonto nachlass staffelpreis* mindestbestell* mahngebühr* zinsen ratenzahlung lastschrift* überweis* probezeitraum probemonat kostenlos* kündigungsfrist guthaben bonuspunkte buchhaltung* kassier*
        berechnet_wird zu_viel_berechnet zu_wenig rechnungsnummer* rechnungsbetrag endbetrag summe_stimmt
        cobrar* cobro cobros devoluci* intereses penalización plazos mensualidad* prueba_gratuita fidelidad anticipo transferencia* remesa contab* importe_total descuadr*
        cobrança* cobrar juros multa parcelas parcelamento mensalidade* teste_grátis grátis boleto pix cashback fidelidade adiantamento transferência* contáb* reais
        addebit* interessi penale rata mensilit* prova_gratuita fedeltà acconto bonifico bonifici contab* commercialista storno
        odset* rat raty ratal* darmow* okres_próbn* kaucj* przelew* księgow* złot* kurs kursu punkt*_lojaln* zalicz* nadpłat*
        процент*_за пени штраф* рассроч* пробн*_период бесплатн* задат* аванс перевод*_на бухгалт* рубл* евро курс бонус* кэшбэк* чаев* зарплат* выплат* предоплат*
        分期 利息 罚金 定金 押金 返现 试用期 免费 会员折扣 折后 优惠价 进价 成本价 分成 打折 转账 对账 财务 结算 小费 抹零 工资 多扣 少扣 多收 少收 满额 凑单 涨价 降价 年费 月费 续费 单价 下单时 分润
        利息 違約金 前金 保証金 無料期間 お試し 会員価格 割り勘 振込 会計 精算 チップ 給料 値引 値上 値下 年会費 月額 更新料 無料ライン 歩合 報酬 単価 端数処理 還元
        할부 이자 위약금 보증금 무료_체험 회원가 입금 회계 정산 팁 월급 인상 인하 연회비 월정액 갱신 단가 캐시백 이체 할인율 공급가""",
    "KEPT": """one_text_blob text_blob bit_int 32_bit 64_bit 32-bit 64-bit n:m 1:n many_to_many more_than_one several_addresses multiple_addresses multiple_phone per_weekday revision revisions version_history previous_versions with_author_and
        time_zone timezone time_zones as_utc in_utc object_store raise_the_version stored_in lies_in lives_in kept_as kept_in saved_as saved_in stores_the store_the lookup a_separate_table own_table scans_everything full_scan seq_scan query_plan
        needs_an_index with_author change_the_type auto_increment collation utf8mb4 case-insensitive uniqueness per_row history_of who_changed changed_by created_by updated_at created_at deleted_by
        remember_which should_remember must_remember remember_who remember_when keep_track each_line_should every_order_should mandatory required_field new_field new_column new_attribute extra_field custom_field* additional_field separate_field
        fill_in_the fill_the_old those_already already_exist all_existing existing_ones old_ones current_ones for_the_existing for_existing convert_the old_strings once_for_all one-off_script one_off_script import_script
        merge_the_tables merge_tables split_the_table split_full_name first_and_last archive_table json_column jsonb_column enum_value enum_type integer_instead string_instead store_as text_instead persisted localstorage_key state_file
        document_version bump_the_version file_version plist sqlite realm core_data coredata mongodb elasticsearch_mapping reindex re-index redis_key key_format protobuf_schema parquet warehouse data_warehouse
        plusieurs_adresses plusieurs_par table_liée table_de_liaison y_déplacer pour_les_existant* déjà_enregistré* historiser historisation champ_obligatoire nouveau_champ nouvelle_colonne champ_supplémentaire fuseau stocké* en_utc stocker
        rétroactiv* reprise_de_données type_de_colonne séparément
        entität mehrere_adressen mehrere_je je_kunde eigene_tabelle eigenes_feld neues_feld pflichtfeld zusatzfeld werden_übernommen vorhandene_werden bestehende_werden für_bestehende historisier* versionier* zeitzone* als_zahl als_text als_datum
        stecken_direkt pro_kunde aufsplitten getrennt_speichern nachträglich
        varias_direcciones tabla_aparte tabla_nueva campo_obligatorio nuevo_campo nueva_columna campo_adicional rellenar los_que_ya_existen las_que_ya_existen los_existentes por_separado huso_horario zona_horaria historial_de
        várias_por tabela_separada nova_coluna novo_campo campo_obrigatório preencher os_que_já_existem os_existentes os_antigos separadamente fuso_horário histórico_de criar_tabela carregar_o
        tabella_separata nuova_colonna nuovo_campo campo_obbligatorio riempire quelli_esistenti quelle_esistenti fuso_orario storico_dei storicizz*
        osobn*_tabel* nowe_pole nowa_kolumna nową_kolumnę pole_obowiązkowe dla_istniejąc* uzupełnić osobno stref*_czasow* historię_zmian wiele_do kilka_adres*
        отдельн*_таблиц* новое_поле новая_колонка обязательн*_поле заполнить для_существующ* отдельно часов*_пояс* историю_изменений несколько_телефон* несколько_адрес* может_быть_несколько пересчитать_стар* старые_записи в_базе
        单独存 单独一张表 新字段 新增字段 必填字段 增加字段 加字段 渠道字段 老订单 历史订单 默认为 默认值为 回填 补齐 多个地址 多个手机 多对多 一对多 拆成 拆分成 存到 落表 历史版本 软删除 自增
        別テーブル 新しい項目 必須項目 既存の 既存データ 登録できるように 複数登録 分けて保存 履歴を残 論理削除 移行する 桁数 文字数を増や 保存先 多対多 一対多
        별도_테이블 새_필드 필수_항목 필드_추가 컬럼_추가 기존_데이터 기존_회원 나누어_저장 나눠서 옮겨야 여러_개 이력을_남 소프트_삭제 다대다 일대다 저장하도록 저장해야""",
    "PUBLIC": """get_a_404 return_201 returns_200 return_404 status_200 http_200 409 410 422 pagination paginate* cursor-based location_header etag raise_notfound returning_none raises_an returns_a_list returns_none python_requires drop_python drop_support
        end_of_life eol minimum_version minimum_node drop_node exit_with exits_with exit_status machine-readable iso_8601 turn_off_v1 v1_api /v1 /v2 old_api default_of default_value change_the_default changes_the_default by_default_it defaults_to
        client_library client_libraries sdk_users adapt_their must_adapt have_to_adapt scripts_that scripts_rely users_rely rely_on relies_on integrations_that plugin_author* third_party_developers public_feed csv_column* csv_export_column
        column_order column_headers output_format format_of_the_export export_format import_format is_ignored error_object error_payload snake_case camelcase camel_case field_name* payload_field* request_field* mandatory_parameter required_parameter
        keyword-only keyword_argument* becomes_async event_names event_type topic_name queue_name message_format wire_format graphql_type nullability next_major semver
        grpc_service header_name* url_structure url_scheme deep_link* config_file yaml_key ini_file environment_variables docker_image_name package_name npm_package module_name import_path namespace_of exported_function exported_class
        from_the_package __init__ all_callers every_caller callers_have decorator_signature interface_method abstract_method base_class trait_method protocol_version
        code_de_sortie valeur_par_défaut annoncée_comme en_json au_format intégrations applis_tierces champ_de_la_réponse renvoyer_un renvoyer_une à_partir_de_la_version fichier_de_config
        wird_umbenannt antwort_und_anfrage in_der_antwort standardwert* vorgabewert* rückwärtskompatib* clients_müssen aufrufer* partner_sind exit-code konfigurationsschlüssel konfigurationsdatei ausgabeformat exportformat spaltenreihenfolge
        valor_por_defecto en_la_respuesta de_la_respuesta los_clientes_tendrán deja_de_aceptar formato_de_salida cambiar_el_nombre versión_mínima archivo_de_configuración quienes_lo_usan
        valor_padrão na_resposta da_resposta param_de_funcionar deixam_de_funcionar mudar_o_nome formato_de_saída versão_mínima arquivo_de_configuração quem_usa quem_consome
        valore_predefinito nella_risposta della_risposta dovrà_adattarsi dovranno_adattarsi chi_lo_usa formato_di_uscita versione_minima file_di_configurazione restituire_json script_dei
        wartość_domyśln* w_odpowiedzi klienci_muszą klienci_będą format_wyjści* minimaln*_wersj* plik_konfiguracyjn* zmienić_nazwę pole_w_odpowiedzi zwracać
        по_умолчанию в_ответе клиентам_придётся клиенты_должны формат_вывод* минимальн*_верси* файл_конфигурации должен_возвращать должна_возвращать переименовать_поле вместо_массива
        返回的 默认值 状态码改 字段名 改为返回 调用方需要 前端和第三方 第三方都要 出口格式 导出格式 最低版本 配置文件 配置项 命令行参数 参数名 方法名 事件名 去掉参数
        返すように デフォルト値 ステータスを 項目名 利用者は対応 並び順を変更 出力形式 最低バージョン 設定ファイル 設定項目 コマンドライン引数 オプション名 イベント名 廃止する 返却値
        응답의 기본값 상태코드 필드명 호출하는_쪽 클라이언트_배포 출력_형식 최소_버전 설정_파일 설정_키 명령행 옵션_이름 이벤트_이름 반환하도록""",
    "GONE": """gets_rid get_rid_of throw_away all_products throw_everything delete_everything deletes_everything with_everything everything_in_them cron_job nightly_job nightly_delete is_emptied are_emptied never_leaves retention keep_only keep_for retain_for
        removed_after deleted_after delete_after cleaned_up cleaned_out raw_data tracking_data legacy_* old_data legacy_tables test_tenants test_accounts test_orders test_customers test_users test_data_on fake_accounts spam_accounts bot_accounts
        squash_the_history with_force git_push_-f delete_branches remove_tags delete_tags unpublish yank lost_that's_fine is_lost are_lost be_lost not_recoverable no_backup without_backup no_undo free_up disk_space disk_is_full terabyte*
        right_to_be_forgotten erase_people import_them_again reimport re-import start_from_scratch from_scratch wiped zeroed overwritten one-time_script run_it_on run_on_prod directly_on_prod empties drop_the_table drop_the_old
        drop_old drop_all drop_them decommission switch_off_the_server scale_to_zero delete_the_volume drop_the_volume delete_bucket expire_objects lifecycle_rule unsubscribe_all cancel_all close_all reset_all reset_password_for_all merge_duplicates
        paniers_de plus_d'un_an plus_de_deux_ans base_de_prod tâche_chaque_nuit données_de_test comptes_de_test comptes_inactifs rétention libérer tout_supprimer tout_effacer
        weg_damit samt_belegen samt_ testbestellungen testkunden testdaten_im testkonten altlasten *löschung aufbewahrung* platz_schaffen speicherplatz ersatzlos unwiederbringlich nächtlich*_job *lauf_löscht kann_alles_weg alles_löschen komplett_löschen
        borrado_definitivo borrado datos_de_prueba cuentas_de_prueba cuentas_inactivas retención liberar_espacio borrar_todo borrar_todos eliminar_todos eliminar_todas dados_de_baja
        exclusão_definitiva apagar_tudo apagar_todos excluir_todos dados_de_teste contas_de_teste contas_inativas retenção liberar_espaço
        eliminazione_definitiva cancellare_tutto cancellare_tutti eliminare_tutti dati_di_prova account_di_prova account_inattivi liberare_spazio messaggi_vecchi dati_vecchi conservazione
        dane_testowe konta_testowe nieaktywne_konta usunąć_wszystk* skasować_wszystk* zwolnić_miejsce retencj* starsze_niż stare_dane na_stałe
        тестовые_данные тестовые_заказ* тестовые_аккаунт* неактивных удалить_все удалить_всех удалять_всё освободить_место срок_хранения старше старые_данные вместе_с_файлами насовсем навсегда
        直接删 直接删掉 不用备份 全部清 三年前 一年前 两年前 以前的数据 测试数据 测试账号 测试订单 僵尸账号 释放空间 定时清理 定期清理 定时任务删除 磁盘满 腾出
        全部消 本番から消 テスト用の会員 テストデータ テストユーザー テスト注文 古いデータ 容量を空け 定期的に削除 自動で削除 自動で消 保持期間 丸ごと 一掃
        전부_삭제 모두_삭제 모두_지우 테스트_데이터 테스트_계정 테스트_주문 오래된_데이터 용량_확보 자동_삭제 보관_기간 배치로 지난_데이터 이상_된 1년_지난 매일_새벽""",
    "WISH": """do_something_about something_about_it annoying great_again fun_and details_follow details_later more_details_later once_back suggestions_welcome ideas_welcome any_ideas opinions? opinions no_idea various_complaints lots_of_complaints
        more_useful more_helpful easier_to_use more_professional old-fashioned outdated_look looks_old looks_cheap feels_slow feels_old feels_clunky ugly usability user_experience ux_of 
        redesign facelift relaunch rework_the modernize modernise 2.0_of bring_up_to speed_up_everything make_everything make_it_better make_better make_it_nice make_it_more make_it_great like_the_competition like_other_apps like_apple like_google
        as_discussed as_agreed_on see_chat see_call talk_to ask_the ask_karin ping_me depends_on_marketing waiting_for wait_for_the not_final placeholder_ticket placeholder_for to_be_specified spec_follows concept_follows mockups_follow to_be_done_later
        handle_it_properly properly handle_better support_everything more_flexible more_robust scalable future-proof clean_up_the_mess something_is_wrong is_weird acts_weird sometimes_weird
        suggestions_bienvenues plus_utile plus_simple plus_clair pas_terrible ergonomie expérience_utilisateur refonte moderniser embellir à_préciser détails_à_venir voir_avec les_avis_sont_partagés partagés d'accord_avec
        vorschläge_willkommen altbacken nutzererlebnis benutzerführung aufwerten modernisier* hübsch nützlicher übersichtlicher details_folgen folgt_noch folgen_noch absprechen_mit abstimmen rücksprache nach_rücksprache gehen_auseinander geht_besser nervt_die
        más_útil más_claro más_fácil experiencia_de_usuario rediseño rediseñar modernizar detalles_más_adelante ya_veremos a_consultar se_aceptan_ideas sugerencias hablar_con consultar_con
        mais_útil mais_claro mais_fácil experiência_do_usuário redesenho modernizar detalhes_depois vamos_ver sugestões falar_com alinhar_com conversar_com
        più_utile più_chiar* più_semplice esperienza_utente restyling ammodernare dettagli_in_seguito si_accettano_idee sentire_anche sentire_il parlare_con
        bardziej_przyjaz* czytelniej* wygodniej* przejrzyst* odświeżenie szczegóły_później szczegóły_wkrótce pomysły_mile uwagi_mile porozmawiać_z skonsultować
        поудобнее понятнее полезнее редизайн модерниз* подробности_позже детали_позже предложения_приветств* идеи_приветств* мнения_разделил* согласова* поговорить_с как_у_конкурент* красиво
        不好看 不好用 改好看 更好 更清晰 人性化 大气一点 详情后补 细节再说 细节后续 有什么建议 欢迎建议 和产品确认 跟产品 参考竞品 高大上 好看一点 
        便利に 詳細は別途 詳細は後日 使い勝手 わかりやすく アイデア募集 意見募集 相談して デザインを新しく 古くさい おしゃれ かっこよく 他社みたい ユーザー体験 よしなに
        편리하게 자세한_내용은_추후 추후_공유 사용성 사용자_경험 의견_환영 아이디어 리뉴얼 예쁜 직관적 경쟁사처럼 알아서 협의 더_나은""",
    "UI": """click clicks clicking clicked tap tapping screen screens menu menus pop-up popup dialog modal sidebar toolbar tab tabs page_number page_2 preview map tiles zoom zooming typing chart axis gallery picker focus gesture image images picture photo sound
        thumbnail* widget avatar* landscape portrait tablet phone_screen small_phones desktop select_box autocomplete type-ahead search_box list_view sort sorted alphabetic* sticky character_counter indicator video player_controls
        drag drag_and_drop copy_button print printing pdf page_break footer header_row navigation breadcrumb* swipe carousel checkbox_alignment print_template animation sprite camera joystick level particle
        écran menu fenêtre_modale carte clic onglet image liste_déroulante impression miniatur* bildschirm menü klick karte diagramm achse anzeige reiter vorschau drucken suchfeld liste zoom ansicht
        pantalla menú clic mapa pestaña imagen lista contador selector vista tela menu clique mapa aba imagem lista contador schermo menu clic mappa scheda immagine elenco ekran menu kliknię* mapa zakładk* obraz* lista stopk* podgląd
        экран меню клик карт* вкладк* картинк* список кнопка жест 点击 页面显示 菜单 弹窗 地图 列表 图片 页码 滑动 移动端 画面表示 メニュー クリック 地図 タブ 画像 一覧 表示が 折り返 スワイプ 화면_표시 메뉴 클릭 지도 탭 이미지_표시 목록""",
    "DEVICE": """safari firefox chrome edge android ios iphone ipad pixel windows macos linux ubuntu react vue angular electron wayland galaxy samsung playwright windows_10 windows_11 mobile tablet browser 小程序 h5 갤럭시""",
    "BROKEN": """doesn't_work does_not_work doesnt not_working stopped_working broken missing stays stay disappears vanish* duplicat*_entry appears_twice twice_in wrong_file wrong_name wrong_order undefined is_ignored ignored not_shown not_displayed empty_list off_by_one
        regression since_the_update since_the_upgrade since_version happens_since used_to_work garbled mojibake encoding utf-8 unescaped_text nan null_is infinite_loop stuck loses not_sorted doubled jump* flash* cut_off is_cut
        ne_fonctionne ne_marche depuis_la_mise reste_ouvert disparaît coupé manquant s'affiche_mal funktioniert_nicht geht_nicht seit_dem fehlt verschwindet bleibt_hängen doppelt falsch_sortiert kompiliert_nicht
        no_funciona desde_la_actualización desaparece se_queda no_cuenta_bien não_funciona desde_a_atualização some_no sumiu não_acha não_aparece non_funziona dall'aggiornamento sparisce si_legge_male nie_działa od_aktualizacji znika zostaje nie_wyświetla
        не_работает после_обновления пропадает не_отображ* не_показыв* 不起作用 没有反应 没反应 才有反应 消失 显示不全 无效 不显示 失效 动かない 反応しない 消える 表示されない 更新されない 正しくない 안_됨 동작하지 사라짐 안_보임 깨져""",
    "EASY": """use_the_variable we_already_have use_a_set reuse should_close should_show should_say same_result order_kept one_line should_do_it just_needs simply the_fix_is easy_fix file_is_in_the move_it call_it grep_finds add_it_to_the readme_list
        in_memory clear_on_change pass_--quiet as_on_every_other like_on_every as_before bring_it_back text: texts: nur_anzeige nur_die_darstellung utiliser_la_variable il_faut_passer usar_la_variable basta_usar usare_l'svg użyć_zmiennej
        只需 使用变量 正常 改成_svg すれば直る すればよい 使えばよい 하면_됩니다 사용하면""",
}
