"""Words of what others call or parse. In eleven languages, sorted.

A star is where a stem is open, _ a space. Chinese, Japanese and Korean words are looked for inside the text, the others
at word borders. No rule lives here.
"""

PUBLIC: dict[str, str] = {
    "API_HARD": """
        *endpunkt *schnittstelle api_pubblica api_publique api_pública api_response cli_flag* code_de_retour
        code_http codice_di_stato codice_di_uscita command-line_flag* command_line_option* config_file_format
        config_key* content-type código_de_estado código_de_salida código_de_saída código_de_status endpoint*
        endpunkt* env_var* environment_variable* error_code* error_format exit_code* exitcode* graphql grpc hook*
        http_status json_response kod_odpowiedzi kod_wyjścia kommandozeilen* końcówk* odpowiedzi_json openapi
        payload* plugin_api plugin_hook* point_d'entrée points_d'entrée protobuf public_api public_class*
        public_function* public_interface public_method* publiczn*_api punto_de_acceso query_parameter* query_string
        request_body response_body response_field* resposta_json respuesta_json rest_api return_type* risposta_json
        rpc réponse_json rückgabetyp* rückgabewert* schnittstelle* sdk signatur signature* status_code* statuscode*
        subcommand* swagger umgebungsvariable* variabile_d'ambiente variable_d'environnement variable_de_entorno
        variável_de_ambiente webhook* zmienn*_środowiskow* öffentliche_api вебхук* код_возврата код_ответа
        переменн*_окружения публичн*_api сигнатур* эндпоинт* эндпойнт* エンドポイント クエリパラメータ シグネチャ
        ステータスコード レスポンス 入参 公开方法 公開api 公開メソッド 出参 响应 回调 対外 开放平台 引数 戻り値 接口
        状态码 环境变量 環境変数 第三方 終了コード 返回值 退出码 공개_api 반환_타입 반환값 상태_코드 시그니처
        엔드포인트 웹훅 응답 종료_코드 파라미터 환경변수
    """,
    "API_SOFT": """
        antwort* api argument* befehl* cabecera* cabeçalho* campi campo campo* champ* class comand* comando* command
        commande commands config configuración configuration configurazion* configuração csv default einstellung*
        en-tête* ereignis* event event* event_name evento* events export feld felder field fields flag flags
        fonction* función function functions funkcj* funktion* funzion* função funções header headers hook hooks
        interface json key konfiguracj* konfiguration kopfzeile* method methode* methods metod* module méthode*
        método* nagłówek nagłówk* odpowied* opciones opción opcj* option option* optionen options opzion* opção
        opções package param parameter parameter* parametr* params paramètre* parámetro* parâmetro* plugin plugins
        pola pole poleceni* properties property response resposta* respuesta* return_value rispost* rota rotas rotta
        route routes ruta* réglage* réponse schlüssel setting settings xml zdarzeni* événement* заголов* ключ
        команд* конфиг* метод* опци* ответ* параметр* поле полей поля событи* флаг* функци* イベント オプション
        コマンド フィールド メソッド 事件 函数 参数 命令 字段 引数 方法 設定 选项 配置 関数 매개변수 메서드 명령
        설정 옵션 이벤트 필드 함수
    """,
    "BREAKING": """
        abwärtskompat* alten_namen anciens_noms api_clients api_consumers backward* backwards* breaking
        breaking_change* callers clients_must consumers deprecate deprecated deprecates deprecating deprecation
        depreciad* downstream drittanbieter* déprécié* external_clients for_everyone former_spelling* hauptversion
        incompatibil* incompatible* incompatível inkompatib* integradores integrations integrator* integratoren
        integratori integrators intégrateurs library_users major_version next_major niekompatyb* no_alias
        no_longer_accept* nombres_antiguos nomes_antigos obsolet* obsolete obsolète* old_name* parceiros partenaires
        partner partners partnerz* przestarza* retrocompat* rupture rétrocompatib* socios terceiros terceros
        third-party third_party vecchi_nomi veraltet* version_majeure versión_mayor warns_since without_alias
        wsteczn* zewnętrzn* интегратор* мажорн* несовместим* обратн*_совместим* партнер* партнёр* сторонн* устаревш*
        下游 不兼容 互換性 利用側 合作方 向后兼容 呼び出し側 外部 对接方 弃用 後方互換 破坏性 破壊的 第三方 調用方
        调用方 过期接口 連携先 非推奨 사용하는_쪽 연동 외부 지원_중단 파트너 폐기 하위_호환 호출하는 호환
    """,
    "PUBLIC": """
        /v1 /v2 409 410 422 __init__ abi abstract_method accept_header accountants adapt_their after_save alias
        all_callers all_endpoints annoncée_comme antwortformat anwender_müssen api_version applis_tierces apps_read
        apps_that_read archivo_de_configuración argument_order arquivo_de_configuração array_instead_of as_first
        as_the_first au_format aufrufer* ausgabeformat authors_have avisar_os_parceiros backwards base_class
        base_url becomes_async before_save by_default_it c_api callback_receives callback_signature callers_have
        callers_who cambiar_el_nombre camel_case camelcase champ_de_la_réponse change_the_default
        changes_the_default chi_lo_usa ci_jobs cli_command_is client_libraries client_library clientes_devem
        clients_check clients_expect clients_müssen clé_du_fichier code_d'erreur_passe code_de_sortie code_says
        codemod codes_in codice_di_errore_passa column_headers column_order comma_separated_strings
        command_is_renamed command_line_arguments component_library config_file content_negotiation cors_headers
        csv_column* csv_export_column cursor-based customers_who_depend código_de_error_pasa da_resposta data_key
        date_format_in_the de_la_respuesta de_número_a decorator_signature deep_link* default_branch default_name
        default_of default_sort default_value defaults_to deixam_de_funcionar deja_de_aceptar dejan_de_funcionar
        dejará_de della_risposta depend_on_it depends_on_it developer_docs docker_image_name docs_say
        domyślny_format dovranno_adattarsi dovrà_adattarsi drop_node drop_python drop_support em_vez_de_null emits
        empty_array_instead_of empty_fields en_json en_la_respuesta en_las_urls en_lugar_de_null end_of_life engines
        entry_point entrypoint environment_variables eol epoch_milliseconds error_object error_payload
        errors_from_now etag etag_is event_handler_gets event_names event_payload_of event_type every_caller
        exception_object exception_type exit-code exit_status exit_with exits_with export_format exported_class
        exported_from_the exported_function exportformat external_shops fails_when feed_version fichier_de_config
        field_name* file_di_configurazione first_argument for_everybody format_of_the_export format_par_défaut
        format_wyjści* formato_de_salida formato_de_saída formato_di_uscita formato_padrão formato_por_defecto
        formato_predefinito former_name from_the_package from_then_on gave_up get_a_404 graphql_type grpc_service
        handler_gets handlers_get have_to_adapt have_to_follow have_to_handle header_file header_name* heisst_jetzt
        hostname_of_the_api http_200 idempotent_put ids_as import_format import_path import_scripts imports_change
        in_der_antwort in_responses in_snake_case index.ts ini_file integrations_that interface_method
        interface_of_the_plugin intégrations invece_di_null is_ignored is_refused iso_8601 iterator java_api
        json_interface json_lines json_only keyword-only keyword_argument* keyword_only klienci_będą klienci_muszą
        konfigurationsdatei konfigurationsschlüssel kotlin_api lancer_une_exception leaving_out_empty
        limit_parameter links_with load_balancers locale_codes_in_the location_header los_clientes_tendrán
        lower_case_urls machine-readable machine_output major_version make_mandatory mandatory_parameter manifest
        matrix_and message_first message_format minimaln*_wersj* minimum_node minimum_tls minimum_version
        minor_units module_name moves_to mudar_o_nome must_adapt müssen_angepasst na_resposta named_arguments
        namespace_of ne_sera_plus ne_seront_plus ne_seront_plus_lues nella_risposta neuer_standardwert
        new_domain_for_the_api new_exception next_cursor next_major nicht_mehr_unterstützt nie_będą_już no_alias
        no_longer_loaded non_saranno_più non_sarà_più notas_de_versión notes_de_version npm_package null_instead
        null_대신 nullability nullの代わり number_as_string não_será_mais object_instead object_rather objet_au_lieu
        old_api old_links on-premise on_stdout onchange openapi.yaml options_object order_of_arguments
        order_of_the_arguments output_format output_of_the_command package_name page_size paginate* pagination
        param_de_funcionar partner_sind partners_still pasa_a_ser passa_a_ser patch_semantics payload_field*
        per_page permalien* pflichtparameter plik_konfiguracyjn* plugin_author* plugin_authors plugin_manifest
        pole_w_odpowiedzi positional_argument print_a_warning_now probably_read problem_document process.exit
        promise_authors prop_becomes props_api protocol_version public_feed public_header public_module public_urls
        published_package put_replaces python_requires quem_consome quem_usa queue_name quienes_lo_usan quit_sending
        raise_notfound raises_an rate_headers rate_limit_for_api redirect_the_old refuse_requests release_notes
        relies_on rely_on remove_the_alias removed_prop remover_do rename_the_prop renamed_exception
        renommer_les_clés renvoyer_un renvoyer_une request_field* require_a required_parameter required_prop
        restituire_json retry_the_webhook_later return_201 return_404 return_type_of returning_none returns_200
        returns_a_list returns_a_promise returns_none rfc_7807 rfc_9457 root_key rückgabe rückwärtskompatib*
        schlüssel_in_der_antwort script_dei scripts_may scripts_out_there scripts_rely scripts_that sdk_users
        second_argument semicolon semver send_the_webhook should_fail should_throw silently_skipped single_argument
        skrypty_klientów slots_are snake_case soap soap_interface soll_eine_exception some_scripts sort_order_of
        spaltenreihenfolge standardmässig standardwert_von standardwert_ändern statt_200 statt_404 statt_null
        status_200 stderr stdout stdout_format stop_accepting string_rather swapped_arguments switch_to_subcommands
        tableau_au_lieu that_key third_party_developers throttling throw_on thrown_instead tls_1.0 to_stderr
        topic_name total_count_in_the trailing_slash trait_method trzeba_będzie turn_off_v1 turn_red
        typeerror_without unix_timestamps_in unknown_keys unspecified url_change url_changes url_scheme
        url_structure urls_públicas user-agent user_agent users_rely v1_api valeur_par_défaut valor_padrão
        valor_por_defecto valore_predefinito versione_minima versione_principale versionshinweise* versión_mínima
        versión_principal versão_mínima versão_principal von_zahl_zu vorgabewert* w_odpowiedzi wartość_domyśln*
        webhook_payload_version webhook_signature websocket_protocol wersj*_główn* who_depend will_notice
        wird_nicht_mehr wird_umbenannt wird_vereinheitlicht wire_format wirft_künftig wrap_it wrap_the_response
        wrapped_in wsdl ya_no_se_aceptan yaml_1.1 yaml_key zamiast_null zmienić_nazwę zwracać à_la_place_de_l'objet
        à_partir_de_la_version больше_не_будет больше_не_поддерж* в_ответе вместо_200 вместо_null вместо_массива
        выбрасывать_исключение должен_возвращать должна_возвращать клиентам_придётся клиенты_должны мажорн*_верси*
        минимальн*_верси* переименовать_поле по_умолчанию скрипты_клиент* файл_конфигурации формат_вывод*
        формат_по_умолчанию イベント名 オプション名 コマンドライン引数 サポートを終了 ステータスを デフォルトの形式
        デフォルト値 メジャーバージョン 下架旧版 不再兼容 不再支持 不再返回 並び順を変更 事件名 今後は 例外を投げ
        公开链接 公開url 出力形式 出口格式 分号 利用者は対応 前端和第三方 去掉参数 参数名 参数顺序 命令行参数 响应头
        字段名 字段改 导出格式 廃止する 引数の順 必填参数 必須に変更 必須パラメータ 戻り値の 戻り値の型 抛出异常
        排序默认 改为必填 改为抛 改为返回 方法名 旧api 旧エンドポイント 旧字段 旧接口 旧方法 旧版_sdk 旧版sdk
        最低バージョン 最低版本 版本号 状态码改 第三方都要 設定ファイル 設定項目 请求头 调用方需要 调用直接
        返すように 返却値 返回的 返回空数组 返回类型 配置文件 配置项 開発者向け 項目名 默认值 默认格式 개발자_문서
        구버전 기본_형식 기본값 더_이상_지원 메이저_버전 명령행 반환_타입 반환하도록 빈_배열 상태코드 설정_키
        설정_파일 예외를_던지 옵션_이름 응답의 이벤트_이름 이전_api 인자_순서 최소_버전 출력_형식 클라이언트_배포
        판정이 필드명 필수_파라미터 필수로_변경 호출하는_쪽
    """,
}
