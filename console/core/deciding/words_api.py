"""Words of what others call or parse, in eleven languages. See words_actions for the notation."""

API: dict[str, str] = {
    "API_HARD": """endpoint* webhook* public_api rest_api graphql api_response response_body payload* status_code* http_status openapi swagger
        query_parameter* query_string request_body response_field* content-type public_method* public_function* public_class* public_interface
        exit_code* return_type* signature* sdk json_response error_code* error_format protobuf grpc rpc plugin_api plugin_hook* hook*
        env_var* environment_variable* config_key* config_file_format subcommand* cli_flag* command_line_option* command-line_flag*
        point_d'entrée points_d'entrée code_de_retour code_http réponse_json variable_d'environnement api_publique
        endpunkt* *endpunkt schnittstelle* rückgabetyp* statuscode* umgebungsvariable* öffentliche_api *schnittstelle kommandozeilen* signatur
        rückgabewert* exitcode*
        código_de_estado variable_de_entorno api_pública respuesta_json código_de_salida punto_de_acceso
        código_de_status variável_de_ambiente api_pública código_de_saída resposta_json
        codice_di_stato variabile_d'ambiente api_pubblica codice_di_uscita risposta_json
        końcówk* kod_odpowiedzi zmienn*_środowiskow* publiczn*_api kod_wyjścia odpowiedzi_json
        эндпоинт* эндпойнт* вебхук* код_возврата код_ответа переменн*_окружения публичн*_api сигнатур*
        接口 状态码 返回值 环境变量 公开方法 响应 回调 入参 出参 退出码 开放平台 第三方 対外 エンドポイント レスポンス ステータスコード 環境変数 公開メソッド
        戻り値 公開api 終了コード 引数 クエリパラメータ シグネチャ 엔드포인트 응답 상태_코드 환경변수 웹훅 공개_api 반환값 반환_타입 파라미터 종료_코드 시그니처""",
    "API_SOFT": """api field fields parameter* param params argument* option options flag flags method methods function functions class command commands
        route routes header headers response json xml csv setting settings config configuration default property properties event events
        event_name hook hooks interface plugin plugins key return_value export module package
        champ* paramètre* option* méthode* fonction* commande réponse route configuration réglage* événement* en-tête*
        feld felder parameter option optionen methode* funktion* befehl* antwort* route konfiguration einstellung* ereignis* kopfzeile* schlüssel
        campo* parámetro* opción opciones método* función comando* respuesta* ruta* configuración evento* cabecera*
        campo* parâmetro* opção opções método* função funções comando* resposta* rota rotas configuração evento* cabeçalho*
        campo campi parametr* opzion* metod* funzion* comand* rispost* rotta configurazion* event*
        pole pola parametr* opcj* metod* funkcj* poleceni* odpowied* konfiguracj* zdarzeni* nagłówek nagłówk*
        поле поля полей параметр* опци* метод* функци* команд* ответ* конфиг* событи* заголов* флаг* ключ
        字段 参数 选项 方法 函数 命令 配置 事件 api json フィールド 引数 オプション メソッド 関数 コマンド 設定 イベント 필드 매개변수 옵션 메서드 함수
        명령 설정 이벤트""",
    "BREAKING": """breaking_change* breaking backward* backwards* major_version next_major deprecat* obsolete third-party third_party integrators
        integrations consumers callers downstream partners clients_must api_clients library_users for_everyone former_spelling* old_name* no_longer_accept*
        no_alias without_alias external_clients warns_since api_consumers
        rupture rétrocompatib* déprécié* obsolète* intégrateurs partenaires anciens_noms version_majeure
        abwärtskompat* inkompatib* veraltet* deprecated integratoren partner drittanbieter* alten_namen hauptversion breaking
        retrocompat* obsolet* integradores socios nombres_antiguos incompatible* versión_mayor terceros
        retrocompat* obsolet* integradores parceiros nomes_antigos incompatível terceiros depreciad*
        retrocompat* obsolet* deprecat* integratori partner vecchi_nomi incompatibil*
        przestarza* niekompatyb* integrator* partnerz* wsteczn* zewnętrzn*
        устаревш* обратн*_совместим* несовместим* интегратор* партнёр* партнер* сторонн* мажорн*
        不兼容 破坏性 弃用 过期接口 第三方 向后兼容 合作方 对接方 下游 調用方 调用方 破壊的 後方互換 非推奨 互換性 連携先 利用側 呼び出し側 外部
        호환 하위_호환 지원_중단 파트너 연동 외부 호출하는 사용하는_쪽 폐기""",
    "ADDITIVE": """optional default_output default_stays stays_the_same additional purely_additive existing_callers unaffected keeps_working keep_working
        facultati* optionnel* zusätzlich* opcional* aggiuntiv* opzional* dodatkow* opcjonal* необязательн* дополнительн* 可选 默认不变 任意
        オプションで 선택적""",
    "VERSIONED": """in_2.0 in_3.0 in_4.0 in_5.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 v2 v3 v4 v5 next_release since_march""",
}
