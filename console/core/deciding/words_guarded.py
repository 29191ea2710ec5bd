"""Words of who may do or see what. In eleven languages, sorted.

A star is where a stem is open, _ a space. Chinese, Japanese and Korean words are looked for inside the text, the others
at word borders. No rule lives here.
"""

GUARDED: dict[str, str] = {
    "SEC_HARD": """
        *berechtigung 2fa 2단계 access_check access_control access_token* allowlist anmeldeversuch* api-key*
        api_key* argon2 audit_log autentic* authentifi* authentifizier* authorization_header autorizz* autoryz*
        bcrypt bearer berechtigung* brute-force brute_force certificate_check chiffr* cifr* cifra* cors credential*
        criptograf* crittograf* csrf cve* dados_pessoais dane_osobowe danych_osobowych dati_personali
        datos_personales decrypt* directory_traversal doble_factor dois_fatores données_personnelles
        double_authentification droits_d'accès due_fattori dwuskładnik* déchiffr* encrypt* escalation faille* gdpr
        hashing hsts httponly impersonat* inyección isolation jwt ldap lock_out locked_out magic_link mandant* md5
        mfa oauth* oidc onerror open_redirect passkey* password_policy password_reset path_traversal permisos
        permission_check permissão permissões personal_data personenbezogen* pii podatnoś* private_key privilege*
        recovery_code* redefinição refresh_token* reset_link row-level réinitialisation_du_mot samesite saml
        sandbox_escape second_factor secret secrets segundo_factor session_cookie session_id session_ids sha1
        sicherheitslücke* sign-in_link signing_key sql_injection ssl sso ssrf stay_signed szyfr* tenant_isolation
        tls totp two-factor two_factor unauthenticated unauthori* uprawnie* user's_session uwierzyteln*
        verschlüssel* vulnerab* vulnerabilidad* vulnerabilit* webauthn xss zugriffsrecht* zwei-faktor* zweifaktor*
        авториз* аутентиф* двухфактор* персональн* прав_доступа права_доступа уязвим* шифр* アクセストークン
        テナント ハッシュ化 两步验证 二次验证 二段階 二要素 個人情報 加密 单点登录 双因素 密钥 暗号化 未授权 权限
        権限 注入 漏洞 租户 脆弱性 脱敏 認可 認証 访问令牌 越权 鉴权 验证码 개인정보 권한 암호화 액세스_토큰
        이중_인증 인가 인증 취약점 탈취 테넌트
    """,
    "SEC_SOFT": """
        abgelaufen* accesso account_lock admin administrador* administrateur* administrator* admins amministrator*
        anmeld* auth authenticat* authoriz* caduc* ciasteczk* confidenti* confidential connexion contraseña*
        convidado* cookie cookie* cookies droit droits einladung* expir* expiry gast gości gość guest guests gäste
        hash* hasł* iniciar_sesión invitado* invitation* invite* invité* jeton* kennwort* log_in logged_in login
        logout logow* logs_in moderator* mot_de_passe mots_de_passe ospit* papel papéis password password* passwort*
        passwörter permiso* permission* privad* privat* private privé* prywatn* rechte rol rol* role roles rolle
        rollen ruoli ruolo rôle* scad* senha* sesiones sesión sesj* session sessione sessioni sessions sessão
        sessões sign-out sign_out sitzung* token tokena tokens tokenu tokeny wygas* zalogow* zaprosze* админ* вход*
        гост* закрыт* истека* куки логин* парол* права приватн* приглашен* рол* сесси* токен* ゲスト セッション
        トークン パスワード ログイン ロール 令牌 会话 密码 有効期限 登录 私有 管理员 管理者 角色 访客 过期 非公開
        게스트 관리자 로그인 만료 비공개 비밀번호 세션 역할 토큰
    """,
    "OTHERS": """
        ajen* altre_aziende altri_clienti altri_utenti altro_cliente altro_utente altrui anderen_kunden anderer
        anderer_kunden anderer_mandanten anderer_nutzer another_company another_customer another_shop another_tenant
        another_user any_user autre_client autres_boutiques autres_clients autres_utilisateurs autres_vendeurs
        autrui bez_logowania chiunque competitors cualquiera cudz* d'autres d'un_autre de_outro foreign fremde
        fremden fremder innego_użytkownika innej_firmy innych_klientów innych_użytkowników jeder każdy n'importe_qui
        not_a_member not_allowed not_logged ohne_anmeldung only_the_owner other_companies other_customer*
        other_people* other_shops other_teams other_tenant* other_user* others otras_empresas otro_cliente
        otro_usuario otros otros_clientes otros_usuarios outra_empresa outras_empresas outro_cliente outro_usuário
        outros_clientes outros_usuários private_channel* qualquer_pessoa qualquer_um sans_être_connecté sem_login
        senza_login should_not_be_able sin_iniciar somebody_else* someone_else* stranger* unbefugt* without_being
        without_login without_permission без_авторизац* других_клиент* других_компан* других_пользовател*
        другого_пользовател* любой чуж* 他のユーザー 他の利用者 他人 他人の 他社 任何人 其他公司 其他商家 其他用户
        其他租户 別のユーザー 别人的 别的 第三者 誰でも 남의 누구나 다른_고객 다른_사람 다른_사용자 다른_업체
        다른_회사 다른_회원 타인
    """,
    "GUARD": """
        abgemeldet* ablaufen account_deletion_request accès_aux accès_partout active_directory advisory age_check
        aggressor* agujero ainda_consegue ainda_conseguem all_devices allow-list allow_sign-up allowed_to
        altri_negozi altro_negozio ancien_salarié anciens_employés anciens_salariés ancora_accedere angemeldet*
        angreifer* anonym* anonymous anonymously anybody_can anybody_with anyone_in anyone_on anyone_with approval
        approve approve_the approve_time argon2 ask_for_the_password_again atacante* atak* attacker* attempts
        audit_log ausgeloggt ausgeschiedene autorisé* aún_puede banned base_de_clientes belongs_to_another
        bez_zabezpiecz* biometric* blacklist* bloccare_l'accesso bloccare_l'account block_list block_somebody
        block_someone block_user* blocked_people blocked_person blocked_user* blokad* blokow* bloquear_a_conta
        bloquear_el_acceso bloquear_la_cuenta bloquear_o_acesso bloquer_l'accès bloquer_le_compte brecha brute
        bucket_is_public bulletin* busta_paga buste_paga but_not_edit by_editing_the by_typing_the_url
        byli_pracownicy cached_for_others caduca* caduque cambio_de_contraseña cambio_password can_export
        can_only_see can_still_access captcha card_data card_numbers cartella_clinica cerrar_las_sesiones
        cerrar_sesión change_department changement_de_mot changes_department characters_long cheat cheaters cheating
        chiunque_può chmod clear_text cleartext clickjack* client_claims client_hides clock_skew_token cloisonn*
        code_pin comment_but_not compte_désactivé comptes_désactivés confidential confidentiel confirm_by_e-mail
        confirm_the_password confirm_with_password confirmed_by_e-mail consent consent_banner content_security
        continua_entrando continuam_entrando contracheque* cookie_consent correos_desechables csp cualquier_empleado
        cualquier_usuario cualquiera_puede customer's_account cve dados_de_baja dane_medyczne dangerous_html
        darf_nicht darf_nur dashed data_export_of_a_user datenschutz datenschutz* dati_sanitari de_outra_loja
        deactivated deaktivierte debug_mode_in_production desactivad* desligad* device_list diagnos* direct_messages
        directory_listing diritto disabled_account* disabled_user* disattivat* disconnett* disposable
        disposable_mail dms dominio_de_correo dominios_permitidos données_de_santé dossier_médical double_facteur
        dsgvo durée_de_vie déconnect* dürfen_nicht dürfen_nur e-mail_login e-mail_verification e2e_encryption
        editing_the_hidden ehemalige eingeloggt* einladungslink* einmal_gültig einmalig* einschleus* embargo
        en_clair encerrar_sessões encore_se_connecter end-to-end ended_on_the_server enlace_de_invitación
        enlace_público enmascar* entra entzogen enumerate enumeration escape_html essais este_derecho everybody_can
        everyone_can ex-employee* ex-funcionári* ex_dipendent* exemplead* expiration expire* expiry exploit*
        export_of_the_member exposed face_id falla fehlversuch* fiche_de_paie file_permissions fingerprint forge
        forged former_employee* former_salaried frame-ancestors freigabelink* fuga fuite full_card für_alle_mit
        gehälter* geschwärzt gesperrt* gesundheitsdaten get_in gets_in ghsa guess_the guessable guessing
        guest_access guest_link* gültigkeit* habilitation* hand_over has_left hash_the have_not_seen health_data
        hidden_but hidden_field hidden_from hidden_product* hides_it historial_médico hmac holerite* home_address
        iban_visible id_card id_of_another im_klartext impersonate in_chiaro in_clear in_proxy_logs in_the_clear
        in_the_search_of in_the_url_bar inject* innego_sklepu innerhtml inny_użytkownik intentos invalidat*_session
        invasor* invitation* ip-range ip_address* ip_range* isn't_checked jawnym_tekst* jeder_im jeder_mit_link
        jednorazow* k-anonymity każdy_może każdy_użytkownik keep_me keep_their_old_rights keine_gehälter keycloak
        kick_out kick_them kiosk klartext known_leaks kommen_noch konfidenz können_exportieren last_four ldap leak*
        leaks_the least_privilege leave_the_team leaves_the_company lecteurs lectores left_the_company leser_dürfen
        leserecht* lesezugriff lettori level_between lgpd lien_de_partage lien_public liens_de_partage
        limiter_l'export link_de_convite link_di_invito link_is_hidden link_pubblico link_publiczn* link_público
        link_zapros* log_everybody_out log_in_with_google log_out_everywhere logged_in_as_another login_with
        lohnzettel luka läuft_ab lücke magic-link mail_domain malicious markdown_html mascar* mascher* masked
        maskier* maskow* masquer_les_données may_export may_not_see may_see medical membership minors
        mixed_up_accounts monouso mots_de_passe_sans must_not_see n'importe_quel* nadal_mogą nadal_może_się
        ne_devrait_pas_pouvoir ne_doit_pas_voir ne_doit_voir ne_doivent_pas never_end* never_expire* new_browser
        new_device* new_level next= nicht_sehen_dürfen nie_może_widzieć nie_powinien_widzieć no_debe_ver
        no_debería_poder no_deberían_ver noch_anmelden noch_einloggen noindex_private non_deve_vedere
        non_devono_vedere nonce not_be_able_to nur_admins nur_der_autor nur_der_ersteller nur_lesen
        nur_mit_anmeldung não_deve_ver não_deveria_ver nómina* odebra* of_another_account ohne_login ohne_schutz
        okta old_rights on_behalf on_disk_encrypted one-time one_time only_admin* only_finance only_hr only_member*
        only_owner* only_the_author only_the_creator other_account other_devices other_person's otra_tienda
        otras_tiendas outra_loja outras_lojas own_paths own_team_only ownership parental pasek_wynagrodz* passcode
        passports password_hash* passwordless passwortwechsel passwortänderung patient_data payslip* pensje pensji
        people_outside permissions_of_the_file personal_details personalakte personnel_file peut_encore
        peuvent_encore peuvent_exporter phishing pin_code pirat* più_volte plain_text plaintext podem_exportar
        possono_ancora possono_esportare praktikanten presigned preview_of_private privacidad privacidade privacy
        privacy_policy private_board* private_event* private_group* private_messages private_ones private_project*
        private_repositories prontuário* propietari* proprietar* proprietári* propriétaire* prototype_pollution
        prywatnoś* prób próbach próby pseudonym* public_bucket public_link* publicly pueden_entrar pueden_exportar
        può_ancora qualquer_um_pode qualquer_usuário qualsiasi_utente qualunque_utente quitar_este_derecho
        random_ids re-authenticat* read-only_access read-only_role read_only_for readable_by readable_for_all
        readable_for_everyone reauthenticat* rechtekonzept reconnect* redact* referrer refresh_the_token
        register_without registration_form remember_me removed_from_the_team replayed report_abuse retirer_l'accès
        revoc* revocar revocation revogar revoke* revoke_tokens rgpd riesce_ad_entrare robots rodo root_user
        route_isn't_checked run_out réservé_aux révoqu* rôle* salt same_answer saml sanitis* sanitiz*
        sans_protection sans_être scadenza schreibrecht* script_tag secret_group secure_cookie secure_cookies
        security_advisory sem_estar sem_proteção sent_to_all_clients senza_essere senza_protezione sequential_ids
        server_believes server_takes_it service_account* session_fixation session_hijack* seul_le seuls_les
        share_link* shareable_link* shared_computer shared_link* should_not_be_able should_not_see should_only_see
        shouldn't_see sign_everybody_out sign_in_with_apple sign_up_without signatur_prüfen signature_check
        signature_of_the_webhook signed_url* sigue_entrando siguen_entrando sin_estar sin_iniciar sin_protección
        single-use single_sign-on single_sign_on single_use skript_ausgeführt social_login sollte_nicht_können
        solo_el_autor solo_gli_admin* solo_l'autore solo_los_admin* solo_puede_ver somebody_else's
        somente_administrador* someone_else's sperr* spoof* sso stack_traces_to_users stalk* stay_logged step-up
        still_get_in still_log_in still_logged still_logs_in still_signed stranger's superuser supervisor_role
        suspended só_admin* só_o_autor só_pode_ver take_over takeover team_only tells_whether tentativas tentatives
        tentativi texto_claro texto_plano texto_puro todavía_pueden_entrar todos_pueden token_in_the_url
        token_lifetime toujours_accès tout_bénévole tout_le_monde_peut tracking_consent traversal troca_de_senha
        trust_the_client trusted_device* trusts_the_client tylko_administrator* tylko_autor tylko_swoj*
        typing_the_url umask un_altro_cliente un_solo_uso una_sola_volta under_18 unescaped ungeschützt unguessable
        unieważn* unknown_device unlisted unsalted update_because_of_the_hole uprawnien* url_can_be_guessed
        usage_unique uso_único vault vazament* vazando verify_email verify_the_e-mail verify_the_signature
        verify_webhook versuche vertraulich vie_privée viewer_role visible_to_all visible_to_customers
        visible_to_everyone ważnoś* wciąż_może weiterhin_anmelden whether_an_address_exists whitelist* who_can
        who_is_allowed who_may widerruf* without_asking without_salt works_forever workspace_member* world-readable
        world_readable write_access wrong_account wyciek* wylog* wypłat* właściciel* x-frame zablokow* zertifikat*
        zmianie_hasła zwolnion* öffentlich_erreichbar бан без_входа без_защиты без_пароля блокир* бывш*_сотрудник*
        владел* всё_ещё_может другого_магазина другой_компании дыра ещё_могут заблокир* зарплатн* злоумышл*
        конфиденциальн* любой_может любой_пользователь любой_сотрудник любому маскир* медицинск* могут_войти
        могут_экспортировать может_войти не_должен_видеть не_должны_видеть одноразов* отзыв_токен* открытом_виде
        отозв* по-прежнему_может попыт* права_на право_на приватност* разграничен* разлог* разрешить_только
        сбросить_сессии смены_пароля соль солью срок_действия ссылк*_на_приглаш* только_автор только_админ*
        только_руковод* только_свои только_старш* уволен* уволили утеч* чужие чужой_чек できてしまう なりすまし
        アクセスできてしまう エスケープ カルテ カード番号 ソルト パスワード変更後 ブロックした プライバシー
        ホワイトリスト マスク ログアウトさせ ログインできてしまう ロール ワンタイム 一度だけ 一次性 不应该看到
        不能看到 仅管理员 仍可登录 仍能登录 他のアカウント 他の会社 他店舗 他部署 任何员工 任何用户 任意用户 会话_id
        会话固定 作者本人 保密 個人情報が 共有リンク 其他店铺 其他设备 其他门店 凍結 分享链接 別の会社 别家 别的账号
        加盐 单点 卡号 只允许 只能查看 只能看到 外泄 多要素 失効 实名 导出的客户名单 封禁 尝试次数 屏蔽 工资单 平文
        強制ログアウト 弾く 所有员工 所有者 手机号泄 打码 拉黑 招待リンク 持ち出し 撤销 改密码后 攻击 攻撃 明文
        有效期 期限切れ 未ログインでも 未登录也 本人だけ 本人のみ 检查权限 権限を 権限チェック 機密 泄露 漏洩 無保護
        無効化され 無期限 病历 登录后会话 白名单 直接访问 禁用的 离职 管理员页面 管理者だけ 管理者のみ 給与明細
        総当たり 绕开 绕过 脚本注入 自分のだけ 自分の部署 見えてしまう 見えないように 見せない 見られてしまう
        試行回数 誰でも 誰でも見 谁都能 踢下线 还可以登录 还能登录 退会した 退出登录 退職 邀请链接 邮箱域名 都能看到
        都能访问 重新生成 锁定 长期有效 限制导出 隐私 隐私设置 隔离 黑名单 강제_로그아웃 개인정보 공격 공유_링크
        관리자만 권한_체크 권한을 급여명세 기밀 누구나 다른_계정 다른_기기 다른_매장 다른_부서 로그아웃되
        로그인됩니다 로그인이_됩니다 마스킹 모든_사용자가 모든_직원 무차별 민감 보이면_안 보지_못 본인_것만 본인만
        비로그인 비밀번호_변경 비밀번호_변경_후 생체 소유자 솔트 시도_횟수 아무나 우회 유출 유효_기간 유효기간 의료
        이스케이프 일회성 일회용 잠그 잠금 접속할_수 정지된 지문 차단 차단한 초대_링크 카드_번호 탈퇴한 퇴사 평문
        화이트리스트 회수
    """,
    "GUARD_SOFT": """
        *bleibt acceso access accesso accès acesso address admin_page admin_panel adresse anyone attachments_from
        backend_access change_the_id changing_the_id code codes dipendent* dostęp draft_of e-mail_addresses
        einladung* empleados employees employés enlace enlaces equipe equipo everybody everyone follower*
        funcionári* gast hidden hr id_in_der_url in_the_url internal_notes invite invites lien liens link links
        linku member members mitarbeiter* moderator* of_other of_others parameter_in personal personal* personale
        personnel phone_number* pin pracowni* profile_picture salaries salary scripts somebody staff stagiaire*
        support_role support_staff team_member* the_number_in_the_url trust trusted unpublished upload* user_id
        zugriff équipe доступ персонал сотрудник* ссылк* アカウント アクセス スタッフ リンク 员工 従業員 招待 职员
        访问 邀请 链接 계정 링크 접근 직원 초대 회원
    """,
    "PERSONS": """
        abteilung* accountant* accounting adhérent* admin administrators admins agents alumno* aluno*
        amministrazione arzt azubi* becari* bot bots buchhaltung buyer* bénévole* cashier* clerk* coach* colleague*
        comptabilité contabilidad contractor* customer_service dealer* departamento* department departments
        dipendent* docent* doctor doctors driver* drivers dział editor* eltern empleado* employee* employé*
        estagiári* externe finance financeiro finances franchise* freelancer* funcionári* genitor* guest* host hosts
        hr händler intern interns kasjer* kassierer* księgowość lehrer* manager* marketing member* mitarbeit*
        moderator* médico* médicos nauczyciel* nurse* padres pais parent* parents participant* patient* pflegekr*
        pracowni* praktikant* profesor* professor* referee* reparto reseller* rodzic* sales schüler* seller*
        sprzedawc* sprzedaż staff stagiaire* stagist* stażyst* student* supervisor* support_agent* teacher* trainee*
        trainer* tutor tutors uczeń uczni* vendas vendedor* vendeur* vendite venditor* vendor* ventas verkäufer*
        vertrieb viewer* visitor* volunteer* warehouse_staff ärzte élève* бухгалтер* врач* кассир* модератор* отдел*
        продавец продавц* родител* сотрудник* стажер* стажёр* учени* учител* スタッフ 主管 保護者 先生 出品者 医師
        医生 卖家 司机 员工 商家 営業 学生 实习生 家长 店長 従業員 普通用户 生徒 社員 経理 老师 職員 講師 财务 部署
        部门 销售 교사 매니저 부서 영업 의사 인턴 재무 점장 직원 판매자 학부모 학생
    """,
}
