"""Words of stored data, its shape and its loss, in eleven languages. See words_actions for the notation."""

SHAPE: dict[str, str] = {
    "DB_HARD": """varchar* nullable not_null foreign_key* primary_key* alter_table create_table bigint smallint datetime_column
        unique_constraint* uniqueness unique_index composite_index partial_index database_level db_level at_database
        db_version schema_version database_schema db_schema autoincrement auto-increment on_delete_cascade soft_delete soft-delete* deleted_at
        jsonb timestamptz numeric_10 indexeddb join_table pivot_table lookup_table junction_table backfill* back-fill*
        ddl tablespace sharding denormal* normaliz*_table many-to-many data_type column_type
        clé_étrangère* clés_étrangère* contrainte_d'unicité contrainte* base_de_données schéma_de_la_base en_base
        fremdschlüssel* primärschlüssel* datenbank* datenbankschema eindeutigkeit* unique-constraint* zwischentabelle datentyp
        clave_foránea clave_primaria base_de_datos esquema_de_la_base tabla_intermedia
        chave_estrangeira chave_primária banco_de_dados tabela_intermediária no_banco
        chiave_esterna chiave_primaria vincol* base_dati tabella_ponte
        klucz_obcy klucz_główny klucza_obcego baz*_danych bazie więzy ograniczeni*_unik* unikaln*
        внешн*_ключ* первичн*_ключ* баз*_данных базе уникальн* в_бд бд 
        外键 主键 唯一约束 唯一索引 联合索引 数据库 中间表 字段类型 建表 表结构 库表 varchar bigint 外部キー 主キー 一意制約 ユニーク制約 中間テーブル
        データベース 外래키 외래키 기본키 유니크 데이터베이스 유일_제약 nullable 複合インデックス 복합_인덱스 マイグレーション 마이그레이션 迁移脚本 数据迁移 迁移""",
    "DB_SOFT": """table tables column columns index indexes indices constraint* schema entity entities field fields attribute* row record
        enum flag
        colonne* table index champ* ligne* booléen attribut*
        spalte* tabelle* feld felder index indizes *tabelle *spalte zeile* attribut*
        columna* tabla* índice* campo* atributo*
        coluna* tabela* índice* campo* atributo*
        colonn* tabell* indice indici campo campi attribut*
        kolumn* tabel* indeks* pole pola pól
        колонк* столб* таблиц* индекс* поле поля полей
        表 字段 列 索引 テーブル カラム インデックス フィールド 項目 列 테이블 컬럼 칼럼 인덱스 필드 항목""",
    "MIGRATE": """migration migrations migrate migrated upgrade_step upgrade_script data_migration backfill* converted rewritten rewrite_on_load
        flyway liquibase alembic
        reprise reprendre_l'existant migrer migration
        migrieren migriert datenmigration migrationsskript nachgezogen übernommen aufgefüllt nachtragen
        migrar migración migraciones migração migrações migrare migrazione
        migracj* zmigrow* миграци* мигрир* 迁移 移行 マイグレーション 이관 마이그레이션 이전""",
    "EXISTING": """existing old already_present past historic* previous legacy already_there current_rows older
        existant* anciens anciennes déjà_présent* l'existant historique
        bestehend* vorhanden* alte alten bisherige* altdaten *altdaten
        existente* ya_existe* antiguos antiguas anteriores actuales
        existentes antigos antigas atuais já_cadastrad*
        esistent* già_present* vecchi vecchie pregress*
        istniejąc* stare starych dotychczasow*
        существующ* старые старых старый имеющ* прежн*
        老数据 旧数据 已有 现有 历史数据 存量 老 既存 旧データ 古い 過去 これまで 기존 예전 과거 옛""",
    "DATUM": """row rows record records value values data entries entry lines saves files account accounts customers orders users bookings posts
        documents messages contacts products items database
        ligne* valeur* données enregistrement* entrée* fiches commandes clients articles comptes
        wert werte werten daten datensätze* einträge* sätze zeilen kunden aufträge bestellungen konten
        valor valores datos registro* filas pedidos clientes
        valores dados registro* linhas pedidos clientes cadastros
        valori dati righe ordini clienti record contatti quelli
        wartości danych dane rekord* wiersz* wpis* zamówieni* klient*
        значени* данны* запис* строк* заказ* клиент* пользовател*
        数据 记录 值 行 订单 用户 データ レコード 値 行 注文 顧客 데이터 레코드 값 행 주문 고객 회원""",
    "FORMAT": """save_file* save_format savegame* savegames file_format on-disk on_disk disk_format storage_format stored_as binary_format
        localstorage saved_games project_file* database_file
        format_de_sauvegarde fichier_de_sauvegarde
        spielstand* spielstände* dateiformat speicherformat
        formato_de_guardado partidas_guardadas formato_de_archivo archivos_de_guardado formato_do_arquivo jogos_salvos salvataggi formato_di_salvataggio
        formatu_zapisu zapisy_gry format_pliku zapisów формат_сохранен* формат_файл* сохранени* сохранёнк*
        存档 存储格式 文件格式 セーブデータ 保存形式 ファイル形式 세이브 저장_형식 파일_형식 저장_포맷""",
    "TYPE": """string strings integer integers int uuid uuids boolean bool datetime date timestamp* bitmask json_array cents decimal* float* utc
        chaîne* entier* texte datetime nullable
        zeichenkette* ganzzahl* datum zeitstempel dezimal*
        cadena* entero* texto fecha centavos inteiro* data decimal decimales centesimi interi stringa stringhe intero
        łańcuch* liczb*_całkowit* tekst tekstu liczba строк* цел* числ* дата текст* копейк*
        字符串 整数 逗号 时间戳 文本 文字列 整数 日時 タイムスタンプ カンマ 문자열 정수 타임스탬프 날짜""",
}

LOSS: dict[str, str] = {
    "ERASE": """purg* wip* truncat* eras* force-push* force_push* nuke* destroy* reset resets overwrit* tear_them tear_down tear_*down
        anonymi* prune drop_database rm_-rf vacuum empty_the clear_out clean_out cleanup clean_up clean-up zero_out flush* permanently
        back_to_zero start_over starts_at bulk_delete mass_delete delete_all remove_all filter-repo rewrite_*history rewrite_history
        purge* vider vidange effacer écraser réinitialis* remettre_à_zéro nettoy* anonymis* détruire
        leeren leert bereinig* zurücksetz* überschreib* wegräum* vernicht* anonymisier* plattmachen ausmisten
        purgar limpiar vaciar sobrescrib* reinici* restablecer truncar poner_a_cero depurar limpieza
        limpar esvaziar zerar sobrescrev* reiniciar resetar expurg* limpeza truncar
        svuot* puli* azzer* sovrascriv* ripristin* ripul* epur*
        wyczyś* czyszcz* wyzerow* zerow* nadpis* opróżn* zresetow*
        очист* чист* почист* обнул* сброс* перезапис* стереть стирать затере* вычист*
        清空 清除 清理 重置 覆盖 归零 抹掉 清零 强推 强制推送 全部删 全消去 初期化 一括削除 上書き リセット クリア 消去 空にする 強制プッシュ
        초기화 비우 정리 덮어쓰 일괄_삭제 리셋 강제_푸시 파기""",
    "ERASE_HARD": """force-push* force_push* filter-repo truncate_table drop_database drop_the_database rm_-rf delete_all permanently_delete* hard-delete*
        hard_delete* for_good irreversibl* no_restore wipe_the git_history rewrite_the_history unrecoverabl*
        définitivement irréversible endgültig unwiderruflich definitivamente permanentemente definitivamente nieodwracalnie trwale безвозвратно навсегда
        彻底删除 永久删除 不可恢复 物理删除 强推 強制プッシュ 完全に削除 物理削除 영구_삭제 완전히_삭제 영구""",
    "ASSET": """customer customers account accounts user users order orders player players subscriber* member members guest guests record records rows
        contacts messages comments attachments backup backups bucket* objects snapshot* volumes volume namespaces environments cluster* branches tags
        history database table tables topic topics queue queues photos images uploads invoices leads tenants registrations logs events ratings documents
        production live prod staging carts personal_data s3 archive* recordings packages releases index indexes disks everything audit
        clients comptes commandes utilisateurs sauvegardes branches historique base données production fichiers photos messages inscriptions abonnés
        kunden* kundenkonten konten benutzer* nutzer* bestellungen backups sicherung* sicherungen branches datenbank produktiv* produktion datensätze
        verlauf historie postfächer dateien anhänge protokolle bilder remote-branches
        clientes cuentas pedidos usuarios copias respaldos producción ramas historial registros base datos archivos fotos
        contas usuários usuário backups produção banco histórico registros dados saldos movimentos arquivos cadastros
        utenti account ordini clienti backup produzione storico dati allegati archivio foto rami registrazioni contatti
        użytkownik* konto konta kont kontem zamówie* klient* kopi* produkcyjn* produkcj* gałęz* histori* dane danych załącznik* baz* zdjęć zdjęcia
        пользовател* аккаунт* заказ* клиент* бэкап* резервн* прод продакшен* боев* ветк* истори* данны* баз* вложени* файлы таблиц*
        用户 账号 账户 客户 订单 备份 生产 线上 分支 历史 数据 数据库 附件 日志表 图片 文件 会员 ユーザー アカウント 顧客 注文 バックアップ 本番 ブランチ
        履歴 データ 添付 会員 画像 ログ 회원 계정 고객 주문 백업 운영 브랜치 이력 데이터 첨부 사용자 이미지""",
    "PRODUCTION": """production prod live on_prod live_bucket live_database live_system all_players all_users all_customers every_user
        en_production en_prod produktiv* produktion* live-system en_producción em_produção in_produzione na_produkcji produkcyjn*
        продакшен* на_проде боев* проде 生产环境 生产库 线上 生产 本番 운영_DB 운영_서버 운영""",
    "AGED": """older_than idle inactive unused orphan* stale abandoned expired never_logged more_than_two years_old days_old not_logged spam bots duplicate duplicates duplicated
        doubles untouched orphaned outdated
        plus_de inactifs inactives orphelin* abandonnés doublons obsolètes
        älter_als inaktiv* verwaist* verwaiste nie_gemergt* doppelte* dubletten ungenutzt* veraltete
        inactivos inactivas huérfan* antigüedad duplicad* sin_pedidos más_de abandonados
        inativos inativas órfã* duplicad* mais_de abandonad*
        inattivi orfani doppi duplicati più_vecchi obsoleti
        nieaktywn* starsz* osierocon* duplikat* porzucon*
        неактивн* старше осироте* дубл* заброшен* неиспользуем*
        超过 过期 不活跃 孤儿 未登录 重复 僵尸 より古い 経過 休眠 孤児 未使用 重複 以上前 이상_지난 지난 휴면 미사용 중복 오래된""",
}
