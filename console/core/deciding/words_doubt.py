"""Words of doubt: open questions, missing criteria and vague wishes, in eleven languages. See words_actions."""

DOUBT: dict[str, str] = {
    "UNDECIDED": """tbd to_be_defined to_be_decided to_be_discussed not_decided undecided not_yet_decided not_sure_whether not_sure_if unsure_whether i'm_not_sure_which
        needs_a_decision need_a_decision needs_decision we_need_to_decide have_to_decide let's_discuss let_us_discuss what_do_you_think what_do_you_all open_question* which_one_do which_way
        up_for_discussion no_consensus no_strong_opinion both_have two_options three_options options_are either_way_works pros_and_cons to_follow let's_talk haven't_decided nobody_knows_what
        opinions_differ can't_agree cannot_agree not_agreed still_open still_unclear not_clear_yet someone_should_decide should_we do_we_want or_should would_it_be_better
        what_should_happen how_should_we how_should_it or_rather tba depends_on_what discuss_first waiting_for_feedback wdyt
        à_définir à_décider pas_encore_décidé à_discuter on_hésite j'hésite qu'en_pensez reste_à_décider pas_tranché à_trancher faut-il deux_options à_voir je_ne_sais_pas_si à_préciser
        pas_sûr faut_il ou_bien on_ne_sait_pas deux_pistes
        noch_offen zu_klären noch_unklar unklar_ob nicht_entschieden noch_nicht_entschieden zu_entscheiden was_meint_ihr was_haltet sollen_wir sollten_wir zur_diskussion zwei_varianten
        zwei_möglichkeiten muss_noch_geklärt mal_sehen bin_unsicher nicht_sicher_ob entscheidung_nötig wird_noch oder_doch oder_lieber steht_noch müssen_wir_klären uneinig
        por_definir por_decidir no_está_decidido no_hemos_decidido sin_decidir a_definir qué_opináis qué_opinan qué_preferís no_sé_si no_tengo_claro dos_opciones habría_que_decidir hay_que_decidir
        pendiente_de_definir deberíamos o_mejor falta_decidir
        a_definir a_decidir ainda_não_decidimos não_decidimos não_está_decidido o_que_vocês_acham o_que_acham não_sei_se duas_opções falta_decidir precisa_decidir em_aberto a_combinar
        devemos deveríamos ou_melhor falta_definir
        da_definire da_decidere non_abbiamo_deciso non_è_deciso da_discutere cosa_ne_pensate che_ne_dite non_so_se due_opzioni due_strade da_valutare non_è_chiaro vediamo bisogna_decidere
        dovremmo oppure_no meglio_se da_concordare da_capire
        do_ustalenia do_uzgodnienia nie_ustaliliśmy nie_zdecydowaliśmy jeszcze_nie_ustal* do_decyzji co_myślicie co_sądzicie nie_wiem_czy dwie_opcje do_dyskusji trzeba_zdecydować czy_powinniśmy
        nie_wiadomo do_przemyślenia czy_może jeszcze_nie_wiemy
        обсуд* не_решили не_решено не_определ* пока_не_ясно непонятно_как что_думаете как_думаете не_знаю давайте_решим нужно_решить два_варианта нет_твёрдого нет_мнения надо_решить уточнить
        не_уверен стоит_ли или_лучше под_вопросом что_делать пока_неясно
        待定 待讨论 未确定 未定 还没定 没想好 讨论一下 大家怎么看 两种方案 两个方案 需要决定 需要讨论 不确定 还是说 请产品 待确认 没有结论 怎么看 再议 尚未决定 没决定 意见不一
        未定 検討中 要検討 相談 決まっていません 決めて 決まっていない どちらが どうしましょう どちらに 要相談 ご意見 議論 どうするか 案があり 決めかね 未決 迷っ
        미정 협의 논의 결정되지 정해지지 결정_필요 어떻게_할지 어느_쪽 의견_부탁 검토_필요 고민 정해야 의견_주세요 안_정해 못_정 어떨까요 결정해""",
    "VAGUE": """somehow nicer better modern fresher cleaner_look more_intuitive more_user-friendly user_friendly meh old-fashioned something_like something_more polish overhaul
        rethink some_love state_of_the_art wow sexy cooler quick_win feel_free_to more_appealing looks_dated isn't_good not_great pimp professional smoother the_usual
        moderne améliorer rafraîchir plus_joli plus_sympa mieux revoir un_peu_vieill* quelque_chose_de plus_ergonomique plus_convivial dépoussiér* plus_fluide repenser
        moderner schöner besser irgendwie aufhübschen überarbeiten ansprechend* aufpeppen benutzerfreundlicher intuitiver hübscher zeitgemäß* frischer verbessern runder
        mejorar moderno moderna más_bonito más_bonita más_intuitiv* mejor darle_una_vuelta algo_más repensar más_atractiv* renovar
        melhorar moderno moderna mais_bonito mais_bonita mais_intuitiv* melhor repensar dar_uma_cara algo_mais mais_amigável mais_agradável
        migliorare moderno moderna più_bello più_bella rivedere sistemare qualcosa_di più_intuitiv* svecchiare ripensare magari meglio
        ulepszyć poprawić nowocześniej* ładniej* lepiej lepsz* przyjaźniejsz* coś_w_stylu odświeżyć intuicyjn* jakoś fajniej*
        улучшить современн* красивее удобнее лучше как-то посовременн* переделать освежить доработать как-нибудь поудобн* получше покрасив*
        优化一下 体验不好 更好看 更现代 美观 改进一下 好用 大气 友好 高级
        使いやすく モダン いい感じ もっと きれいに 見直 なんとなく 今風 良くし 刷新 分かりやすく
        개선 개편 예쁘게 세련 좀_더 현대적 편하게 깔끔하게 느낌 바꿔야_할_것 손봐 더_좋게 고급스럽게""",
    "HEDGE": """maybe perhaps probably i_guess we'll_see ideally eventually peut-être éventuellement vielleicht eventuell evtl quizá* tal_vez talvez forse magari
        może chyba być_może возможно может_быть наверно* наверное 也许 或者 或许 多分 かもしれ たぶん 아마 것_같""",
    "CHOICE": """whether or either alternativ* option_a option_b variant* ou soit oder entweder variante_a o bien opción_a opção_a oppure czy albo lub или либо 还是 或者 それとも または 또는 아니면 혹은""",
}

PLAIN: dict[str, str] = {
    "TYPO": """typo typos misspel* spelling wording grammar reads_wrong should_read faute faute_de_frappe coquille orthographe tippfehler rechtschreib* schreibfehler errata ortografí* erro_de_digitação ortografia
        erro_de_português refuso refusi literówk* pisown* błąd_w_tekście опечатк* орфограф* 错别字 拼写 笔误 写错 錯字 誤字 誤植 タイポ 脱字 오타 맞춤법 철자""",
    "DOCS": """docs doc documentation readme guide tutorial docstring* changelog manual_page handbook faq wiki help_page migration_guide documenter doku dokumentation anleitung leitfaden
        documentación documentar guía documentação documentar guia documentazione documentare guida dokumentacj* документац* справк* руководств* 文档 指南 说明文档 教程 ドキュメント 手順書 マニュアル 문서 가이드 설명서""",
    "LOOKS": """css padding margin icon icons pixel* colour* color* align* misalign* layout font* tooltip* placeholder* blurry overlap* z-index hover dark_mode dark_theme light_theme theme contrast
        truncat*_label border* shadow* spinner animation* scroll* breakpoint* responsive wrap wraps flicker* rtl emoji badge banner sprite* svg ellipsis indent* whitespace footer stylesheet* drop-down dropdown
        barely_readable lightbox keyboard esc_key focus caption label labels button button_text caption heading render* hidpi minimap hud screenshot* viewport swipe
        libellé* icône* couleur* bouton survol infobulle* marge* aligné* police défile* thème clignot* mise_en_page
        symbol* farbe* schaltfläche* abstand* verdeckt schrift* rand tooltip* ausricht* icon* darstell* umbruch flacker* hintergrund* dunkelmodus dropdown beschriftung
        icono* color* botón alineación desplegable tapa margen fuente contraste parpade* fondo etiqueta etiquetas tema_oscuro
        ícone* cor cores botão rodapé alinhamento margem fonte contraste pisca* fundo etiqueta rótulo tema_escuro telas_de quebra
        icona icone colore colori bottone pulsante allineament* margine carattere contrasto etichett* sfondo sfarfall* tema_scuro va_a_capo
        ikon* kolor* przycisk* wyrówn* margines* czcionk* kontrast* miga* tło etykiet* ciemn*_motyw* przewija* przeskak* nakłada*
        иконк* цвет* кнопк* выравн* отступ* шрифт* контраст* мерца* фон подсказк* тёмн*_тем* темн*_тем* скролл* анимац* дёргает* моргает* подпис*
        图标 颜色 按钮 对齐 样式 字体 错位 遮挡 截断 背景 深色模式 暗色 边框 滚动 闪烁 布局 提示文字 文案 乱码 阴影
        アイコン 色 ボタン 余白 フォント ずれ ズレ 重な 背景 ダークモード 枠線 スクロール ちらつ レイアウト 表示崩れ 崩れ 文言 ツールチップ カーソル プレビュー ハイライト 再描画 ラベル
        아이콘 색상 색 버튼 정렬 여백 글꼴 폰트 겹치 배경 다크 테두리 스크롤 깜빡 레이아웃 툴팁 문구 잘림 잘려""",
    "TESTS": """flaky test_suite unit_test* snapshot_test* visual_test* screenshot_test* integration_test* test_coverage coverage freezegun playwright fixture fixtures no_tests tests_for spec_fails mock mocks test_data
        tests_pour tests_unitaires couvrir test_instable unittest* unit-test* testabdeckung tests_für testfall testfälle pruebas_unitarias test_intermitente tests_para cobertura testes_unitários teste_instável teste_intermitente testes_para
        test_per test_unitari copertura testy_jednostkowe test_niestabilny testów юнит-тест* тесты_для нестабильн*_тест* тест_падает покрыт* 单元测试 测试用例 用例 不稳定的测试 补测试
        単体テスト テスト追加 テストが不安定 テストケース 단위_테스트 테스트_추가 테스트_코드 불안정한_테스트 테스트가""",
    "CRASH": """crash* nullpointer* npe typeerror exception stack_trace stacktrace traceback segfault hangs freezes panic* throws plante plantage absturz stürzt abstürzt hängt
        se_cuelga se_cierra fallo trava travando quebra_ao errore va_in_crash si_blocca wysypuje crashuje wywala zawiesza падает краш* зависает вылетает 崩溃 闪退 报错 卡死 空指针 クラッシュ 落ちる 例外 フリーズ
        크래시 튕김 멈춤 예외 강제_종료 오류_발생""",
    "PERF": """slow slower quadratic fps profil* faster startup_time memory_leak leak_in lazily lazy performance benchmark lent lente ralent* langsam* lento lenta lentidão lentezza
        woln* powoln* медленн* тормоз* 很慢 太慢 卡顿 性能 加载慢 遅い 重い 高速化 느림 느려 프레임 성능 느립""",
    "INSIDE": """refactor* private_helper* internal_helper* internal private_method private_class unused_import* dead_code lint* eslint ruff mypy rename_the_variable local_variable variable_name* type_hints formatting prettier
        code_style dependabot chore* bump* helper helpers dev_dependency dev_dependencies neither_is_exported not_exported git-ignored generated completion* lexer tokenizer tokeniz* parser compiler syntax_highlight* build_output
        remaniement interne privé_au_module refactoris* intern interne hilfsfunktion* umbau refaktor* interno refactorización privado_al refatora* código_morto variável_local riscrivere rifattorizz* privato modulo_interno
        refaktoryz* wewnętrzn* zmienn*_lokaln* рефактор* внутренн* локальн*_переменн* 重构 内部 局部变量 未使用的 代码风格 リファクタ 内部 ローカル変数 未使用の 리팩터 리팩토링 내부 지역_변수 미사용_import""",
    "LOGLINE": """log_line* log_message* log_level logs_twice logger logging to_debug debug_level flooded print_statement* log_output ligne_de_log niveau_de_log log-meldung* logausgab* log-level mensaje_de_log nivel_de_log
        mensagem_de_log nível_de_log messaggio_di_log livello_di_log komunikat_w_logu poziom_log* строка_лог* уровень_лог* в_логе_сообщ* 日志级别 日志打印 日志输出 ログレベル ログ出力 로그_레벨 로그_메시지""",
    "WORDS": """translation* locale locales en.json de.json fr.json translat* i18n l10n untranslated traduction* übersetz* traducci* traduç* traduzion* tłumacz* перевод* переведен* 翻译 国际化 翻訳 번역""",
    "SAME": """must_stay stay_identical must_be_identical results_must stays_as_it stay_as_it unchanged untouched not_involved are_ok is_ok out_of_scope no_change not_change doesn't_change does_not_change
        layout_only display_only only_the_label only_the_text remain_identical byte-identical same_as_before logic_is_fine works_fine itself_is_fine themselves_are
        ne_change_pas sans_changement ne_pas_modifier inchangé* reste_identique bleibt_gleich unverändert bleibt_wie ist_nichts_falsch sonst_nichts nur_die_anzeige nur_optik nicht_ändern nicht_anfassen
        no_cambia sin_cambios no_tocar solo_visual queda_igual se_queda_igual não_muda sem_mudança não_mexer só_visual fica_igual continua_igual
        non_cambia restare_identico resta_invariat* solo_grafic* non_toccare bez_zmian nie_zmienia* tylko_wygląd не_меня* не_трога* без_изменений только_отображ*
        不变 不动 没问题 不用改 不涉及 逻辑不 只改 変更しない 変更なし 問題ありません 変えない 影響なし 문제_없음 변경_없음 그대로 건드리지 바꾸지""",
    "BUG_SHAPE": """steps_to_reproduce expected actual reproduce étapes attendu obtenu schritte erwartet tatsächlich pasos esperado actual_result passos esperado atual passaggi atteso ottenuto kroki oczekiwan* шаги ожида* фактическ*
        复现 预期 实际 再現手順 期待 実際 재현 기대 실제""",
    "EPHEMERAL": """cache caches build build_output dist tmp temp temporary generated regenerated node_modules unused_imports import imports variable variables in_memory emitter comment_line local_file sprite lock_file
        cache build erzeugt* temporär* zwischenspeicher caché temporal* compil* temporári* provvisori* tymczasow* pamięci_podręcz* кэш* кеш* времен* 缓存 临时 构建 キャッシュ 一時 ビルド 캐시 임시 빌드""",
}
