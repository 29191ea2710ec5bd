"""Words of stored data and its shape. In eleven languages, sorted.

A star is where a stem is open, _ a space. Chinese, Japanese and Korean words are looked for inside the text, the others
at word borders. No rule lives here.
"""

STORED: dict[str, str] = {
    "DB_HARD": """
        alter_table at_database auto-increment autoincrement back-fill* backfill* banco_de_dados base_dati
        base_de_datos base_de_données baz*_danych bazie bigint chave_estrangeira chave_primária chiave_esterna
        chiave_primaria clave_foránea clave_primaria clé_étrangère* clés_étrangère* column_type composite_index
        contrainte* contrainte_d'unicité create_table data_type database_level database_schema datenbank*
        datenbankschema datentyp datetime_column db_level db_schema db_version ddl deleted_at denormal*
        eindeutigkeit* en_base esquema_de_la_base foreign_key* fremdschlüssel* indexeddb join_table jsonb
        junction_table klucz_główny klucz_obcy klucza_obcego lookup_table many-to-many no_banco normaliz*_table
        not_null nullable numeric_10 ograniczeni*_unik* on_delete_cascade partial_index pivot_table primary_key*
        primärschlüssel* schema_version schéma_de_la_base sharding smallint soft-delete* soft_delete
        tabela_intermediária tabella_ponte tabla_intermedia tablespace timestamptz unikaln* unique-constraint*
        unique_constraint* unique_index uniqueness varchar varchar* vincol* więzy zwischentabelle баз*_данных базе
        бд в_бд внешн*_ключ* первичн*_ключ* уникальн* データベース マイグレーション ユニーク制約 一意制約
        中間テーブル 中间表 主キー 主键 唯一索引 唯一约束 外部キー 外键 外래키 字段类型 库表 建表 数据库 数据迁移
        联合索引 表结构 複合インデックス 迁移 迁移脚本 기본키 데이터베이스 마이그레이션 복합_인덱스 외래키 유니크
        유일_제약
    """,
    "DB_SOFT": """
        *spalte *tabelle atributo* attribut* attribute* booléen campi campo campo* champ* colonn* colonne* column
        columna* columns coluna* constraint* entities entity enum feld felder field fields flag indeks* index
        indexes indice indices indici indizes kolumn* ligne* pola pole pól record row schema spalte* tabel* tabela*
        tabell* tabelle* tabla* table tables zeile* índice* индекс* колонк* поле полей поля столб* таблиц*
        インデックス カラム テーブル フィールド 列 字段 索引 表 項目 인덱스 칼럼 컬럼 테이블 필드 항목
    """,
    "DB_TABLE": """
        colonna colonne colonnes column columna columnas columns coluna colunas kolumn* spalte spalten tabel* tabela
        tabelas tabella tabelle tabellen tabla tablas table tables колонк* столб* таблиц* カラム テーブル 字段 表
        칼럼 컬럼 테이블
    """,
    "MIGRATE": """
        alembic aufgefüllt backfill* converted data_migration datenmigration flyway liquibase migraciones migración
        migracj* migrar migrare migrate migrated migration migrations migrationsskript migrazione migração migrações
        migrer migrieren migriert nachgezogen nachtragen reprendre_l'existant reprise rewrite_on_load rewritten
        upgrade_script upgrade_step zmigrow* übernommen миграци* мигрир* マイグレーション 移行 迁移 마이그레이션
        이관 이전
    """,
    "EXISTING": """
        *altdaten actuales already_present already_there altdaten alte alten anciennes anciens anteriores antigas
        antigos antiguas antiguos atuais bestehend* bisherige* current_rows dotychczasow* déjà_présent* esistent*
        existant* existente* existentes existing già_present* historic* historique istniejąc* já_cadastrad*
        l'existant legacy old older past pregress* previous stare starych vecchi vecchie vorhanden* ya_existe*
        имеющ* прежн* старые старый старых существующ* これまで 历史数据 古い 存量 已有 既存 旧データ 旧数据 现有 老
        老数据 過去 과거 기존 예전 옛
    """,
    "DATUM": """
        account accounts articles aufträge bestellungen bookings cadastros clientes clienti clients commandes
        comptes contacts contatti customers dados dane danych data database daten datensätze* dati datos documents
        données einträge* enregistrement* entries entry entrée* fiches filas files items klient* konten kunden
        ligne* lines linhas messages orders ordini pedidos posts products quelli record records registro* rekord*
        righe row rows saves sätze users valeur* valor valores valori value values wartości wert werte werten
        wiersz* wpis* zamówieni* zeilen данны* заказ* запис* значени* клиент* пользовател* строк* データ レコード 値
        值 数据 注文 用户 行 订单 记录 顧客 값 고객 데이터 레코드 주문 행 회원
    """,
    "FORMAT": """
        archivos_de_guardado binary_format database_file dateiformat disk_format fichier_de_sauvegarde file_format
        format_de_sauvegarde format_pliku formato_de_archivo formato_de_guardado formato_di_salvataggio
        formato_do_arquivo formatu_zapisu jogos_salvos localstorage on-disk on_disk partidas_guardadas project_file*
        salvataggi save_file* save_format saved_games savegame* savegames speicherformat spielstand* spielstände*
        storage_format stored_as zapisy_gry zapisów сохранени* сохранёнк* формат_сохранен* формат_файл* セーブデータ
        ファイル形式 保存形式 存储格式 存档 文件格式 세이브 저장_포맷 저장_형식 파일_형식
    """,
    "TYPE": """
        bitmask bool boolean cadena* centavos centesimi cents chaîne* data date datetime datum decimal decimal*
        decimales dezimal* entero* entier* fecha float* ganzzahl* int integer integers inteiro* interi intero
        json_array liczb*_całkowit* liczba nullable string stringa stringhe strings tekst tekstu texte texto
        timestamp* utc uuid uuids zeichenkette* zeitstempel łańcuch* дата копейк* строк* текст* цел* числ* カンマ
        タイムスタンプ 字符串 整数 文字列 文本 日時 时间戳 逗号 날짜 문자열 정수 타임스탬프
    """,
    "KEPT": """
        1:n 255_characters 32-bit 32_bit 4-byte 64-bit 64_bit a_separate_table abspeichern add_an_entity
        additional_field additional_status all_existing allow_empty already_exist als_datum als_text als_zahl
        anhand_der approved_by archive_table archived_at are_kept arrange_them artificial_id as_a_list as_utc
        attributes_of aufsplitten auto-migration auto_increment auto_migration batch_for be_null become_records
        becomes_null begrenzt_auf belong_to_one belongs_to_many belongs_to_one bestehende_werden bit_int
        bump_the_version by_name by_the_id campo_adicional campo_obbligatorio campo_obligatorio campo_obrigatório
        can_be_empty can_be_null carregar_o casas_decimais case-insensitive case_sensitiv* champ_obligatoire
        champ_supplémentaire change_history change_the_model change_the_type changed_by character_varying charset_of
        chi_ha_modificato collation collisions composite_key convert_the coordinates_of copy_of_the_price copy_those
        core_data coredata counter_cache counters_to country_code created_at created_by criar_tabela current_ones
        custom_field* cut_off_at_255 data_de_nascimento data_di_nascita data_model data_urodzenia data_warehouse
        datamodel date_de_naissance date_of_birth date_of_the_change datenmodell db_trigger dba dbas dbに保存
        dead_end decimal_places decimales decimals deleted_by django_migration dla_istniejąc* document_version
        domain_model domain_object draft_state duplicates_in_the_table dziś_jedno déduire_du déjà_enregistré*
        déjà_là each_line_should ecto eigene_tabelle eigenes_feld elasticsearch_mapping em_vários_idiomas
        emoji_in_mysql en_la_misma_tabla en_plusieurs_langues en_utc en_varios_idiomas enregistrer_la enregistrer_le
        entity_with entität entries_go enum_type enum_value every_order_should exactly_one existentes_toman
        existing_ones existing_rows extra_field favourite* fecha_de_nacimiento feldlänge festhalten festhalten_wer
        field_for_each file_version fill_in_for fill_in_the fill_the_old first_and_last first_start folders_within
        for_existing for_new_rows for_the_existing foreign_keys_to format_version fraction free_text fremdschlüssel
        full-text_index full_scan fulltext_index fuseau fuso_horário fuso_orario für_alte_aufträge für_bestehende
        gaps_in garder_la_trace geburtsdatum geometry_column get_folders getrennt_speichern gin_index guardar_a
        guardar_el guardar_la guardar_o guardar_quién hibernate hierarchy historial_de historisation historiser
        historisier* historię_zmian history_of histórico_de hold_64 huso_horario idioma_preferido import_script
        in_der_datenbank in_grams in_più_lingue in_place_of_the in_several_languages in_utc inheritance_table
        integer_instead is_kept iso_code je_kunde je_mandant jedno_pole json_column jsonb_column keep_the_address_of
        keep_the_order_in keep_them_up_to_date_with keep_track kept_as kept_in key_format keyed_by
        keys_are_guessable kilka_adres* kilku_odbiorców knex kto_zmienił language_code langue_préférée
        las_que_ya_existen last_login_date last_seen last_status_is_kept latitude leer_lassen length_of_the_column
        lies_in limited_to_40 lingua_preferita linked_to_more lives_in local_db localstorage_key longer_than_255
        longitude lookup los_existentes los_que_ya_existen mandatory manual_order many_to_many materialised_view
        materialized_view may_be_empty mehr_als_255 mehrere_adressen mehrere_je mehrsprachig merge_tables
        merge_the_tables merken_welche microseconds middle_name miejsc_po mit_zeitzone model_change model_danych
        model_field modello_dati modelo_de_dados modelo_de_datos models.py modèle_de_données mongodb more_than_255
        more_than_one multilingual multiple_addresses multiple_phone must_remember n:m n:m-beziehung
        nachkommastellen nachträglich natural_key need_translating needs_an_index nel_database nested_categories
        neues_feld new_attribute new_column new_field new_state new_status nickname not_null nouveau_champ
        nouvelle_colonne nova_coluna novo_campo nowa_kolumna nowe_pole nową_kolumnę nueva_columna nuevo_campo
        null_allowed numeric_id nuova_colonna nuovo_campo obbligatorio_e_unico object_store obligatoire_et_unique
        obligatory old_ones old_strings on_delete on_the_server once_for_all one-off_script one_number
        one_off_script order_in_which_they order_of_the_items order_within ordinal original_file_name os_antigos
        os_existentes os_que_já_existem osobn*_tabel* osobno own_record own_records own_table par_langue parent_id
        parquet per_customer per_device per_i_doppi per_language per_row per_server per_step per_user per_weekday
        persisted pflichtfeld pinned_by plain_counter plist plusieurs_adresses plusieurs_langues plusieurs_par
        point_column pole_obowiązkowe polymorphic por_separado postgis pour_les_existant* precompute preencher
        preferowany_język preferred_language present_texts previous_versions price_at_the_time prisma_schema
        pro_kunde pro_sprache protobuf_schema quelle_esistenti quelli_esistenti quem_alterou query_plan
        qui_a_modifié quién_modificó rails_migration re-index reading_must_accept reading_per realm
        records_of_their_own redis_key referenz_auf_den reindex rellenar remember_when remember_which remember_who
        rename_table reprise_de_données required_field revision revisions rewrite_the_history riempire room_database
        rétroactiv* salvare_il salvare_la save_the_coordinates saved_as saved_in scans_everything schema.prisma
        schon_in_der score_file second_one_next second_value separadamente separate_field seq_scan sequelize
        sequence_numbers set_null several_addresses several_assignees several_categories should_remember
        snapshot_of_the_address soft-deleted sort_position split_the_table sprache_des_kunden sqlite state_file
        state_machine status_value stecken_direkt stocker stocké* store_as store_the stored_as_text stored_in
        stored_in_one_field stored_per stored_procedure stores_the storicizz* storico_dei stref*_czasow*
        string_instead subcategor* surrogate_key sync_server séparément tabela_separada tabella_separata
        tabla_aparte tabla_nueva table_de_liaison table_liée tag_table tariff_per text_blob text_instead
        those_already those_in_use time_zone time_zones timezone too_long_for_type trace_de_qui tracking_events
        translating translations_table triggers type_de_colonne typeorm umrechnen unique_together uniquely
        uniqueness uniqueness_of updated_at upgraded_when user_names_unique utf8 utf8mb4 uuidv7 uzupełnić
        value_too_long varchar(255) varias_direcciones version_history versionier* vorhandene_werden várias_por
        w_bazie warehouse was_already_in we_have_in wer_geändert werden_übernommen what's_there when_saving
        who_approved who_changed who_created who_deleted who_edited who_released wiele_do wielojęzycz* with_author
        with_author_and world_file* y_déplacer zapamiętać_kto zapisywać_kto zeichen_begrenzt zeichen_erweitern
        zeitzone* zero_downtime zona_horaria zuordnung_speichern zusatzfeld в_базе в_самом_заказе дата_рождения
        для_старых_пусто для_существующ* заполнить запоминать_кто знаков_после историю_изменений кто_изменил
        многоязычн* модел*_данных может_быть_несколько на_нескольких_языках несколько_адрес* несколько_телефон*
        новая_колонка новое_поле обязательн*_поле отдельн*_таблиц* отдельно пересчитать_стар* предпочт*_язык
        старые_записи хранится_в хранить хранить_в часов*_пояс* インデックスを追加 サーバーに保存 データモデル
        ニックネーム 一对多 一対多 一意 一番目に移 不能为空 中间表 保存先 備考欄を追加 允许为空 先合并重复 出生日期
        分けて保存 別テーブル 加唯一 加字段 加索引 单独一张表 单独存 历史版本 历史订单 可以为空 回填 增加字段
        多个地址 多个手机 多对多 多対多 多言語 多语言 存到 存到服务器 小数位 小数点 履歴を残 必填字段 必須にする
        必須項目 拆分成 拆成 改为可空 数据模型 文字数を増や 文字数制限を 新しい項目 新增字段 新字段 既存の
        既存データ 昵称 桁数 渠道字段 状态字段 生年月日 生日 登録できるように 移行する 空を許可 老订单 自增 落表
        补齐 複数登録 言語コード 誰が変更 誰が承認 論理削除 记住 记录是谁 语言代码 谁修改 谁审批 超过255 软删除
        长度不够 长度改 长度限制 関連テーブル 默认为 默认值为 기존_데이터 기존_회원 나누어_저장 나눠서 널_허용
        누가_수정 누가_승인 닉네임 다국어 다대다 데이터_모델 별도_테이블 비워 새_필드 생년월일 서버에_저장 소수점
        소프트_삭제 스키마_변경 언어_코드 여러_개 옮겨야 유니크_인덱스 이력을_남 인덱스_추가 일대다 자릿수 저장_구조
        저장하도록 저장해야 첫_번째로_옮겨 컬럼_추가 필드_추가 필수_항목
    """,
}
