"""Words of work that is harmless by its kind: texts, looks, tests, the inside. In eleven languages, sorted.

A star is where a stem is open, _ a space. Chinese, Japanese and Korean words are looked for inside the text, the others
at word borders. No rule lives here.
"""

PLAIN: dict[str, str] = {
    "TYPO": """
        błąd_w_tekście coquille errata erro_de_digitação erro_de_português faute faute_de_frappe grammar literówk*
        misspel* orthographe ortografia ortografí* pisown* reads_wrong rechtschreib* refusi refuso schreibfehler
        should_read spelling tippfehler typo typos wording опечатк* орфограф* タイポ 写错 拼写 笔误 脱字 誤字 誤植
        錯字 错别字 맞춤법 오타 철자
    """,
    "DOCS": """
        --help --hilfe anleitung ayuda changelog doc docs docs_build docstring* documentación documentar documentare
        documentation documentazione documentação documenter doku dokumentacj* dokumentation faq guia guida guide
        guía handbook help_page help_text hilfetext leitfaden manual_page migration_guide página_de_ayuda readme
        tekst_pomocy testo_di_aiuto texte_d'aide texto_de_ajuda texto_de_ayuda tutorial wiki документац* руководств*
        справк* текст_справки ドキュメント ヘルプ マニュアル 帮助文本 手順書 指南 教程 文档 说明文档 가이드 도움말
        문서 설명서
    """,
    "LOOKS": """
        a11y abstand* accessibility accessibilité_du align* aligné* alineación alinhamento allineament* animation*
        aria-label* ausricht* badge banding banner barely_readable beschriftung blurry blurry_emoji bold border*
        bottone botão bouton break_in breakpoint* bricht_um button button_text caption carattere carousel centered
        centrado centralizado ciemn*_motyw* clignot* color* colore colori colour* contrast contraste contrasto cor
        cores couleur* coupé_sur css czcionk* danger_colour dark_mode dark_theme darstell* desplegable dpi drop-down
        dropdown dunkelmodus défile* dépasse ellipsis emoji_picker esc_key etichett* etiqueta etiquetas etykiet*
        farbe* fett flacker* flicker* focus fondo font* fonte footer fuente fundo glyph gradient grassetto heading
        hero hidpi hintergrund* hover hud hyphens icon icon* icona icone icono* icons icône* ikon* indent*
        infobulle* italic keyboard kolor* kontrast* kursiv label labels layout libellé* light_theme lightbox
        line_break line_breaks marge* margem margen margin margine margines* masthead miga* minimap misalign*
        mise_en_page misplaced monitor nachodzi nakłada* negrita negrito orientation overlap* padding parpade*
        pisca* pixel* placeholder* pogrubi* police przeskak* przewija* przycisk* pulsante px quebra rand
        rechtsbündig render* resolution responsive retina rodapé rtl rótulo saut_de_ligne schaltfläche* schrift*
        schriftgrösse screen-reader screen_reader screenshot* scroll* scrollbar se_solapa sfarfall* sfondo shadow*
        silbentrennung sobrepõe sovrappost* spinner sprite* stylesheet* survol svg swipe symbol* tapa telas_de
        tema_escuro tema_oscuro tema_scuro theme thème tooltip* truncat*_label tło umbruch va_a_capo verdeckt
        viewport whitespace window_position wraps wyrówn* wyśrodk* z-index zebra zentriert ícone* анимац* выравн*
        дёргает* жирн* иконк* кнопк* контраст* мерца* моргает* налеза* отступ* перекрыва* по_центру подпис*
        подсказк* скролл* темн*_тем* тёмн*_тем* фон цвет* шрифт* ずれ ちらつ ぼやけ アイコン カーソル スクロール
        ズレ ダークモード ツールチップ ハイライト フォント プレビュー ボタン ラベル レイアウト 中央揃え 乱码 余白
        再描画 加粗 右端が切れ 图标 太字 字体 对齐 居中 崩れ 布局 截断 按钮 换行 提示文字 改行 文案 文言 暗色 枠線
        样式 模糊 深色模式 滚动 背景 色 表示崩れ 裁剪 見切れ 边框 遮挡 重な 重叠 错位 闪烁 阴影 颜色 가운데 겹치
        굵게 글꼴 깜빡 다크 레이아웃 문구 배경 버튼 색 색상 스크롤 아이콘 여백 잘려 잘림 정렬 줄바꿈 테두리 툴팁
        폰트 흐릿
    """,
    "TESTS": """
        cobertura copertura couvrir coverage fixture fixtures flaky freezegun integration_test* mock mocks no_tests
        playwright pruebas_unitarias screenshot_test* snapshot_test* spec_fails test_coverage test_data
        test_instable test_intermitente test_niestabilny test_per test_suite test_unitari testabdeckung
        teste_instável teste_intermitente testes_para testes_unitários testfall testfälle tests_for tests_für
        tests_para tests_pour tests_unitaires testy_jednostkowe testów unit-test* unit_test* unittest* visual_test*
        нестабильн*_тест* покрыт* тест_падает тесты_для юнит-тест* テストが不安定 テストケース テスト追加
        不稳定的测试 单元测试 単体テスト 测试用例 用例 补测试 단위_테스트 불안정한_테스트 테스트_추가 테스트_코드
        테스트가
    """,
    "CRASH": """
        absturz abstürzt crash* crashuje errore fallo freezes hangs hängt npe nullpointer* panic* plantage plante
        quebra_ao se_cierra se_cuelga segfault si_blocca stack_trace stacktrace stürzt throws throws_an_exception
        traceback trava travando typeerror uncaught_exception unhandled_exception va_in_crash wysypuje wywala
        zawiesza вылетает зависает краш* падает クラッシュ フリーズ 例外 卡死 崩溃 报错 空指针 落ちる 闪退 강제_종료
        멈춤 예외 오류_발생 크래시 튕김
    """,
    "PERF": """
        accélérer acelerar allocate allocated benchmark beschleunigen faster fps langsam* lazily lazy leak_in lent
        lenta lente lentezza lentidão lento lighthouse memory_leak n+1 performance powoln* preload profiled profiler
        profiling przyspieszyć quadratic queries query_count ralent* slow slower speed_up startup_time twice_as_fast
        velocizzare woln* медленн* тормоз* ускорить 加载慢 加速 卡顿 太慢 很慢 性能 遅い 重い 高速化 느려 느림 느립
        빠르게 성능 프레임
    """,
    "INSIDE": """
        build_output bump* chore* code_style compiler completion* código_morto dead_code dependabot dev_dependencies
        dev_dependency editor_theme eslint formatting functional_change generated git-ignored helper helpers
        hilfsfunktion* intern internal internal_helper* interne interno lexer lexical lint* local_variable mock_for
        modulo_interno mypy no_functional_change not_exported parser prettier privado_al private_class
        private_helper* private_method privato privé_au_module refactor* refactoris* refactorización refaktor*
        refaktoryz* refatora* remaniement rename_the_variable rifattorizz* riscrivere ruff shader_code
        syntax_highlight* tokeniz* tokenizer type_hints umbau unused_import* variable_name* variável_local
        wewnętrzn* zmienn*_lokaln* внутренн* локальн*_переменн* рефактор* リファクタ ローカル変数 代码风格 内部
        局部变量 未使用の 未使用的 重构 내부 리팩터 리팩토링 미사용_import 지역_변수
    """,
    "LOGLINE": """
        debug_level flooded komunikat_w_logu ligne_de_log livello_di_log log-level log-meldung* log_del log_du
        log_level log_line* log_message* log_output logausgab* logger logging logs_twice mensagem_de_log
        mensagem_no_log mensaje_de_log mensaje_del_log message_de_log message_du_log messaggio_di_log
        messaggio_nel_log niveau_de_log nivel_de_log nível_de_log poziom_log* print_statement* to_debug w_logach
        в_логах в_логе_сообщ* строка_лог* уровень_лог* ログレベル ログ出力 日志打印 日志级别 日志输出 日志里
        로그_레벨 로그_메시지
    """,
    "WORDS": """
        copyright_year de.json en-gb en.json exclamation fr.json i18n l10n locale locales punto_esclamativo spacja
        text_from_the_translation traducci* traduction* traduzion* traduç* translat* translation* tłumacz*
        untranslated wykrzyknik übersetz* переведен* перевод* 国际化 翻訳 翻译 번역
    """,
    "SAME": """
        are_ok bez_zmian bleibt_gleich bleibt_wie byte-identical continua_igual display_only does_not_change
        doesn't_change fica_igual inchangé* is_ok ist_nichts_falsch itself_is_fine layout_only logic_is_fine
        must_be_identical must_stay ne_change_pas ne_pas_modifier nicht_anfassen nicht_ändern nie_zmienia* no_cambia
        no_change no_tocar non_cambia non_toccare not_change not_involved nur_die_anzeige nur_optik não_mexer
        não_muda only_the_label only_the_text out_of_scope queda_igual remain_identical resta_invariat*
        restare_identico reste_identique results_must same_as_before sans_changement se_queda_igual sem_mudança
        sin_cambios solo_grafic* solo_visual sonst_nichts stay_as_it stay_identical stays_as_it só_visual
        themselves_are tylko_wygląd unchanged untouched unverändert works_fine без_изменений не_меня* не_трога*
        только_отображ* 不动 不涉及 不用改 功能不变 只改 問題ありません 変えない 変更しない 変更なし 影響なし
        数据不变 没问题 结果不变 逻辑不 逻辑不变 건드리지 그대로 문제_없음 바꾸지 변경_없음
    """,
    "HARMLESS": """
        accepts_letters access_log camera_permission cspell.json delete_key deleted_message deleted_messages
        dependency_injection drop-down drop_down drop_shadow drop_zone git_checkout hot_key key_binding* key_prop
        key_repeat keyboard_key list_key location_permission password_hint permission_denied permission_prompt
        price_tag_icon public_holiday session_list session_replay sign_in_with sort_key spell_checker
        spelling_dictionary test_suite tips_and translation_key unit_tests_for word_list
    """,
    "ADDITIVE": """
        additional_optional default_output default_stays existing_callers facultatif facultative
        nothing_else_changes opcional_nuevo optional_flag optional_parameter purely_additive sortie_par_défaut
        standardausgabe_bleibt stays_default 默认不变
    """,
}
