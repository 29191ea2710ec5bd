"""Words of what can be lost for good. In eleven languages, sorted.

A star is where a stem is open, _ a space. Chinese, Japanese and Korean words are looked for inside the text, the others
at word borders. No rule lives here.
"""

LOST: dict[str, str] = {
    "ERASE": """
        anonymi* anonymis* anonymisier* ausmisten azzer* back_to_zero bereinig* bulk_delete clean-up clean_out
        clean_up cleanup clear_out czyszcz* delete_all depurar destroy* drop_database détruire effacer empty_the
        epur* eras* esvaziar expurg* filter-repo flush* force-push* force_push* leeren leert limpar limpeza limpiar
        limpieza mass_delete nadpis* nettoy* nuke* opróżn* overwrit* permanently plattmachen poner_a_cero prune
        puli* purg* purgar purge* reinici* reiniciar remettre_à_zéro remove_all reset resetar resets restablecer
        rewrite_*history rewrite_history ripristin* ripul* rm_-rf réinitialis* sobrescrev* sobrescrib* sovrascriv*
        start_over starts_at svuot* tear_*down tear_down tear_them truncar truncat* vaciar vacuum vernicht* vidange
        vider wegräum* wip* wyczyś* wyzerow* zerar zero_out zerow* zresetow* zurücksetz* écraser überschreib*
        вычист* затере* обнул* очист* перезапис* почист* сброс* стереть стирать чист* クリア リセット 一括削除
        上書き 全消去 全部删 初期化 強制プッシュ 强制推送 强推 归零 抹掉 消去 清理 清空 清除 清零 空にする 覆盖 重置
        강제_푸시 덮어쓰 리셋 비우 일괄_삭제 정리 초기화 파기
    """,
    "ERASE_HARD": """
        definitivamente delete_all drop_database drop_the_database définitivement endgültig filter-repo for_good
        force-push* force_push* git_history hard-delete* hard_delete* irreversibl* irréversible nieodwracalnie
        no_restore permanentemente permanently_delete* rewrite_the_history rm_-rf truncate_table trwale
        unrecoverabl* unwiderruflich wipe_the безвозвратно навсегда 不可恢复 完全に削除 強制プッシュ 强推 彻底删除
        永久删除 物理删除 物理削除 영구 영구_삭제 완전히_삭제
    """,
    "ASSET": """
        abonnés account accounts allegati anhänge archive* archivio archivos arquivos attachments audit backup
        backups banco base baz* benutzer* bestellungen bilder branches bucket* cadastros carts clientes clienti
        clients cluster* commandes comments comptes contacts contas contatti copias cuentas customer customers dados
        dane danych database dateien datenbank datensätze dati datos disks documents données environments events
        everything fichiers foto fotos gałęz* guest guests histori* historial historie historique history histórico
        images index indexes inscriptions invoices klient* kont konta kontem konten konto kopi* kunden* kundenkonten
        leads live logs member members messages movimentos namespaces nutzer* objects order orders ordini packages
        pedidos personal_data photos player players postfächer prod producción production produkcj* produkcyjn*
        produktion produktiv* produzione produção protokolle queue queues ramas rami ratings record recordings
        records registrations registrazioni registros releases remote-branches respaldos rows s3 saldos sauvegardes
        sicherung* sicherungen snapshot* staging storage storico subscriber* table tables tags tenants topic topics
        uploads user users usuarios usuário usuários utenti utilisateurs użytkownik* verlauf volume volumes zamówie*
        załącznik* zdjęcia zdjęć аккаунт* баз* боев* бэкап* ветк* вложени* данны* заказ* истори* клиент*
        пользовател* прод продакшен* резервн* таблиц* файлы アカウント ストレージ データ バックアップ ブランチ
        ユーザー ログ 会员 会員 分支 历史 图片 备份 客户 履歴 数据 数据库 文件 日志表 本番 注文 添付 生产 用户
        用户数据 画像 线上 订单 账号 账户 附件 顧客 계정 고객 데이터 백업 브랜치 사용자 스토리지 운영 이력 이미지
        주문 첨부 회원
    """,
    "PRODUCTION": """
        all_customers all_players all_users em_produção en_prod en_producción en_production every_user in_produzione
        live live-system live_bucket live_database live_system na_produkcji on_prod prod production produkcyjn*
        produktion* produktiv* боев* на_проде продакшен* проде 本番 生产 生产库 生产环境 线上 운영 운영_DB 운영_서버
    """,
    "PROD_DATA": """
        all_branches all_tags clusters customer_data customers'_data database github_releases production_database
        replica replicas
    """,
    "AGED": """
        abandonad* abandonados abandoned abandonnés antigüedad bots days_old doppelte* doppi doubles doublons
        dubletten duplicad* duplicate duplicated duplicates duplicati duplikat* expired huérfan* idle inactifs
        inactivas inactive inactives inactivos inaktiv* inativas inativos inattivi mais_de more_than_two más_de
        never_logged nie_gemergt* nieaktywn* not_logged obsoleti obsolètes older_than orfani orphan* orphaned
        orphelin* osierocon* outdated più_vecchi plus_de porzucon* sin_pedidos spam stale starsz* ungenutzt*
        untouched unused veraltete verwaist* verwaiste years_old älter_als órfã* дубл* заброшен* неактивн*
        неиспользуем* осироте* старше より古い 不活跃 以上前 休眠 僵尸 孤儿 孤児 未使用 未登录 経過 超过 过期 重复
        重複 미사용 오래된 이상_지난 중복 지난 휴면
    """,
    "GONE": """
        *lauf_löscht *löschung 1년_지난 account_di_prova account_inattivi all_before all_products alles_löschen
        alles_vor altlasten anciens_comptes apagar_todos apagar_tudo are_emptied are_garbage are_lost
        are_overwritten artefacts artifacts au-delà_de aufbewahrung* auto-delete auto_delete autodelete avec_leurs
        back_to_default base_de_prod be_gone be_lost behalten_nur borrado borrado_definitivo borrar_todo
        borrar_todos bot_accounts both_regions brauchen_wir_nicht braucht_keiner braucht_niemand bulk_update
        cancel_all cancellare_tutti cancellare_tutto cleaned_out cleaned_up clear_all clear_history
        clear_the_database clear_the_history clear_the_queue clear_the_table close_accounts close_all
        close_the_account* com_seus comptes_de_démonstration comptes_de_test comptes_inactifs con_sus conservazione
        contas_de_teste contas_inativas cron_job cuentas_de_prueba cuentas_demo cuentas_inactivas dados_de_baja
        dados_de_teste dane_testowe database_reale dati_di_prova dati_vecchi datos_de_prueba days_only decommission
        deduplicat* delete_after delete_backups delete_branches delete_bucket delete_customers delete_everything
        delete_files delete_history delete_images delete_in_batches delete_logs delete_messages delete_orders
        delete_photos delete_records delete_rows delete_tags delete_the_account delete_the_database delete_the_other
        delete_the_rest delete_the_volume delete_their delete_users deleted_after deletes_everything depois_de_90
        desduplicar directly_on_prod disappearing disk_is_full disk_space données_de_test doublons drop_all
        drop_and_recreate drop_old drop_the_index drop_the_old drop_the_table drop_the_volume drop_them dump_from
        dumps_are_kept dédoublonn* eliminar_todas eliminar_todos eliminare_tutti eliminazione_definitiva empties
        empty_the_bucket empty_the_table empty_the_trash empty_trash entsorgen erase_people ersatzlos event_store
        everybody's everything_before excluir_todos exclusão_definitiva expire_after expire_objects
        expire_unconfirmed factory_reset fake_accounts force_a_resync format_the_disk free_up from_scratch from_zero
        full_resync garder_les_derniers get_rid_of gets_rid git_push_-f goes_with_them gone_for_good hasn't_logged
        import_them_again insieme_ai is_emptied is_lost is_overwritten junto_com_os junto_con kann_alles_weg
        keep_for keep_only keep_the_latest keep_the_newest komplett_entfernen komplett_löschen konta_testowe
        leftovers legacy_* legacy_tables let_go_of liberar_espacio liberar_espaço liberare_spazio libérer
        lifecycle_rule log_rotation_delete mail_archive matching_nightly merge_duplicates messaggi_vecchi
        months_only move_everything_to must_be_gone na_stałe nadie_las_usa nadie_los_usa nessuno_le_usa
        nessuno_li_usa never_leaves nieaktywne_konta nightly_delete nightly_job nikomu_niepotrzebn* nikt_nie_używa
        ninguém_precisa ninguém_usa no_backup no_longer_referenced no_undo nobody_needs_it nobody_needs_them
        nobody_refers not_recoverable notifications_older nunca_confirmaram nur_30_tage nächtlich*_job old_archive
        old_data old_notifications older_than_a_year on_purpose on_the_replicas one-time_script overwrite_the
        overwrites_the overwrites_what overwritten paniers_de perde-se personne_n'en platz_schaffen plus_d'un_an
        plus_de_deux_ans preferences_are privacy_officer przepadn* raw_data re-import rebuild_from_scratch recomeçar
        recreate references_nothing reformat registry reimport reiniciar_el reiniciar_la reinstall_the_server
        remote_wipe remove_backups remove_customers remove_everything remove_messages remove_orders remove_records
        remove_rows remove_tags remove_the_database remove_the_others remove_the_rest remove_their remove_users
        removed_after replace_all_data reset_all reset_password_for_all reset_to_zero retain_for retención retencj*
        retention retention_period retenção revert_all_users ricominciare right_to_be_forgotten rows_without
        run_it_on run_on_prod rétention same_person samt_ samt_belegen scale_to_zero se_pierde se_pierden
        self-destruct sem_volta set_all_to set_everything_to set_to_zero si_perdono sin_vuelta skasować_wszystk*
        spam_accounts speicherplatz squash_the_history stare_dane stare_kopie starsze_niż starsze_niż_rok
        start_from_scratch stays_behind stuck_jobs switch_off_the_server tapes tenere_il_più_recente terabyte*
        terraform_destroy test_accounts test_customers test_data_on test_orders test_tenants test_users
        testbestellungen testdaten_im testkonten testkunden throw_away throw_everything throw_them_away
        todo_anterior_a tout_avant tout_effacer tout_supprimer tracking_data tudo_anterior tutto_prima
        tâche_chaque_nuit unpublish unreferenced unsubscribe_all unwiederbringlich update_all_rows usunąć_wszystk*
        vom_speicher weg_damit wipe_devices wiped with_everything with_force without_activity without_asking
        without_backup wraz_z wszystkie_kopie yank zeroed zwolnić_miejsce вместе_с_ними вместе_с_файлами всё_до_20*
        дедупликац* на_которые_нет_ссылок навсегда насовсем начать_с_нуля неактивных никому_не_нужн*
        объединить_дубли освободить_место почистить пропадут пропадёт срок_хранения старше старые_данные стереть_всё
        тестовые_аккаунт* тестовые_данные тестовые_заказ* удалить_все удалить_всех удалять_всё それ以前 まとめて削除
        やり直し ストレージから ストレージから消す テストデータ テストユーザー テスト注文 テスト用の会員
        テナントを削除 バックアップ不要 一年前 一括で削除 一掃 三年前 下线并删除 不用备份 不要になった 两年前 丸ごと
        以前的全部 以前的数据 使われていない 保存期間 保持期間 保留期 僵尸账号 全件削除 全部消 全部消して 全部清
        全部移除 删光 到期自动删除 去重 参照されていない 古いデータ 合并重复 契約終了 定时任务删除 定时清理 定期清理
        定期的に削除 容量を空け 年以上前 归档删 復元は不要 批量删除 无人引用 无需恢复 本番から消 没人用 没人需要
        没有引用 测试数据 测试订单 测试账号 清空购物车 清零 直接删 直接删掉 磁盘满 租户数据 腾出 自动删除 自動で削除
        自動で消 誰も使って 释放空间 重新开始 重複を統合 계약_종료 매일_새벽 모두_삭제 모두_제거 모두_지우 배치로
        백업_불필요 보관_기간 보존_기간 복구_불가 복구하지_않 아무도_안 오래된_데이터 용량_확보 이상_된 이전_것
        일괄로_삭제 자동_삭제 전부_삭제 전체_삭제 중복_제거 지난_데이터 참조되지_않 처음부터 테스트_계정
        테스트_데이터 테스트_주문 파기
    """,
}
