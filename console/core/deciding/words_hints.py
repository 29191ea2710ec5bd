"""Words that go with harmless work more often than not. In eleven languages, sorted.

A star is where a stem is open, _ a space. Chinese, Japanese and Korean words are looked for inside the text, the others
at word borders. No rule lives here.
"""

HINTS: dict[str, str] = {
    "BUG_SHAPE": """
        actual actual_result attendu atteso atual erwartet esperado expected kroki obtenu oczekiwan* ottenuto pasos
        passaggi passos reproduce schritte steps_to_reproduce tatsächlich étapes ожида* фактическ* шаги 再現手順
        复现 实际 実際 期待 预期 기대 실제 재현
    """,
    "EPHEMERAL": """
        build build_output cache caches caché comment_line compil* dist emitter erzeugt* generated import imports
        in_memory local_file lock_file node_modules pamięci_podręcz* provvisori* regenerated sprite temp temporal*
        temporary temporári* temporär* tmp tymczasow* unused_imports variable variables zwischenspeicher времен*
        кеш* кэш* キャッシュ ビルド 一時 临时 构建 缓存 빌드 임시 캐시
    """,
    "UI": """
        aba achse al_cargar align-items alphabetic* altezza altura ancho animation ansicht anzeige arrow_keys
        aspect_ratio atajo* atalho* audio autocomplete avatar* avatare axis barra_de_progreso barra_de_progresso
        barra_di_avanzamento barre_de_progression beim_blättern bildcache bildschirm blockquote brackets breadcrumb*
        breite breiter busca buscador búsqueda camera campo_de_busca campo_de_búsqueda campo_di_ricerca caps_lock
        carousel carte case_sensitive_search champ_de_recherche character_counter chart checkbox_alignment chevauche
        clic click clicked clicking clicks clipboard clique clock_in cmd+k color_picker colour_picker combo_box
        composer contador copied copy_button croissant ctrl+enter ctrl+s date_picker deep_copy default_text desktop
        diagramm dialog dirty_check disable_the_button double_click drag drag_and_drop drag_handle drucken déborde
        eingabefeld ekran elenco empty_message empty_state enter_key escape_key esqueleto esticada event_listener
        fensterhöhe fenêtre_modale figma file_dialog finestra finestre first_letter flex focus footer form_state
        fortschritt* full-screen fullscreen fusszeile gallery ganha_foco gesture grafici grafico graphique grey_box
        grid gráfico gráficos hauteur header_row hits_are_shown home_screen hover_state höhe illustration image
        imagem imagen images immagine impression in_landscape in_the_template indicator input_field invalid_field
        inversé joystick kachel* karte karteikarte klawiatur* klick kliknię* kopfzeile ladebalken landscape largeur
        larghezza largura level line_height list_is_empty list_view lista liste liste_déroulante loading_icon
        loading_indicator long_forms map map_marker mapa mappa markdown marker matching_brackets menu menus menú
        menü miniatur* minimized modal moteur_de_recherche mute najechan* najeż* navigation nested_lists
        number_field object-fit obraz* off_screen okna okno on_mobile onglet own_file page_2 page_break
        page_d'accueil_affiche page_jumps page_number pantalla parent_window partial particle pasek_postępu pdf
        pestaña phone_screen photo picker picture player_control player_controls plural plural_form podgląd
        pole_tekstowe pop-up popup portrait preview print print_template printing prints_street product_card
        product_page progress progress_bar pull_to_refresh quiz quoted_text raccourci* recherche reiter result_count
        resultados_de_búsqueda ricerca row_height résultats_de_recherche save_button scheda schermo schieberegler
        schmal scorciatoi* screen screens scroll_position scrollposition search_box search_is_case search_result
        search_results second_line select_box selector shortcut* sidebar sidebar_does sign-up_form skeleton
        skeleton_screen skrót_klawiszow* slider small_phones socket sort sorted sound spinner_stays splash_screen
        springt sprite squashed start_page startseite_zeigt status_bar statuszeile sticky stopk* stopwatch story_for
        storybook stretched subtitle subtitles suche suchergebnis* suchfeld suchfunktion suggestion* swipe
        switch_button szerokość tab tab_order tab_title tablet tablette tabs tap tapping taskbar tastatur
        tastenkürzel teclado tela text_box text_field textfeld the_word three_variants thumbnail* tiles timer
        title_bar toggle toolbar touch touchend tray tri_par two_d type-ahead typing unread_counter upload_bar
        verdrahtet video virtual_list vista volume volume_slider vorschau watcher widget window_height window_size
        window_title wired word-break wykres* wysokość wyszukiwani* wyszukiwark* zakładk* znakami zoom zoom_level
        zooming écran вкладк* высот* высот*_окна график графике жест карт* картинк* клик кнопка меню наведени* окна
        окно поиск поле_ввода полос*_прогресса прокручива* сдвигается сочетание_клавиш список строка_поиска таймер
        ширин* экран экрана ウィンドウ クリック グラフ ショートカット スライダー スワイプ タブ ファイル名 フォント
        メニュー ローディング ロード中 一覧 下拉 並び替え 件数 入力欄 再生 分页器 切换语言 列表 刷新 加载下一页 图例
        图片 图表 地図 地图 夜间模式 宽度 幅 弹窗 快捷键 折り返 搜索 搜索框 搜索结果 数字键 文字化け 昇順 标签时
        标题栏 検索 検索欄 検索結果 滑动 点击 画像 画面表示 看不清 移动端 窗口 菜单 表示が 输入框 进度条 進捗バー
        闪烁 降順 音 页码 页面显示 首屏 高さ 高度 검색 검색_결과 그래프 너비 높이 단축키 로딩 메뉴 목록 새로고침
        숨기기 스크롤 안_사라짐 이미지_표시 입력_이벤트 입력창 입력칸 자동완성 지도 진행률 창_크기 클릭 탭 포커스
        한_글자 화면_표시
    """,
    "PLACE": """
        aba animation ansicht aperçu badge banner beschriftung bildschirm bottone botão botón bouton box button
        buttons campo champ column columns component components counter dialog dialogs drawer ekran ekranie elenco
        etichetta etiqueta etykieta feld field footer form forms formulaire formular formulario formularz formulário
        header heading hint hints icon icona icono icons icône ikona illustration input knopf label labels layout
        libellé link_colour list lista liste lists logo mask maske masks menu modal modello modelo modulo modèle
        onglet page page_title pages pagina pantalla pdf pestaña picture placeholder plantilla podgląd pole popup
        preview print printout przycisk pulsante página reiter rótulo scheda schermata screen screens section seite
        select spalte story storybook strona symbol szablon tab tabs tag tela template text texts thumbnail tooltip
        view views vista vorlage vorschau vue widget widok zakładka écran ícone вкладк* иконк* кнопк* подпис* поле
        списка список страниц* форм* шаблон* экран* アイコン タブ テンプレート フォーム ページ ボタン ラベル 一覧
        入力欄 列表 图标 弹窗 按钮 标签 模板 欄 画面 界面 表单 输入框 页 页面 라벨 목록 버튼 아이콘 입력칸 탭 템플릿
        팝업 페이지 폼 화면
    """,
    "DEVICE": """
        android angular browser chrome edge electron firefox galaxy h5 ios ipad iphone linux macos mobile pixel
        playwright react safari samsung tablet ubuntu vue wayland windows windows_10 windows_11 小程序 갤럭시
    """,
    "BROKEN": """
        aktualisiert_nicht appears_twice at_99 blank_page bleibt_hängen bleibt_stehen broken can't_be_closed
        cannot_be_closed chokes coupé covered_by cut_off dall'aggiornamento depuis_la_mise desaparece
        desde_a_atualização desde_la_actualización disappears disparaît does_not_work doesn't_work doesnt doppelt
        doppelt_angezeigt doubled drawn_over duplicat*_entry eats empty_list encoding erreur_500 falsch_sortiert
        fehlt findet_keine flash* funktioniert_nicht garbled geht_nicht happens_since hard_to_hit hidden_by ignored
        ignoriert infinite_loop invisible is_blank is_cut is_drawn is_hidden is_ignored isn't_centered isn't_shown
        jump* jumps_back keeps_playing kompiliert_nicht loses loses_its manca_il manquant missing mojibake
        more_than_once n'affiche nan ne_fonctionne ne_marche ne_s'actualise ne_se_met_pas ne_trouve_pas never_shown
        nicht_gefunden nie_działa nie_odświeża nie_otwiera nie_reaguje nie_wyświetla nie_znajduje no_aparece
        no_cuenta_bien no_encuentra no_funciona no_llega no_se_actualiza no_se_ve non_funziona non_si_aggiorna
        non_si_apre non_si_vede non_trova not_displayed not_shown not_sorted not_working null_is não_abre não_acha
        não_aparece não_atualiza não_carrega não_funciona não_ordena não_salva od_aktualizacji off_by_one off_screen
        one_too_many overlap random_order reagiert_nicht regression reste_bloqu* reste_ouvert s'affiche_mal s'arrête
        se_queda seit_dem shows_24 shows_nan shows_undefined si_legge_male since_the_update since_the_upgrade
        since_version some_no sparisce stay stays stays_at stehen stopped_working stuck sumiu swapped too_early
        too_late twice_in unconverted undefined unescaped_text unreadable upside_down used_to_work utf-8 vanish*
        verschwindet wrong_direction wrong_file wrong_name wrong_order wrong_place zasłonięt* znika zostaje
        не_находит не_обновляется не_открывается не_отображ* не_показыв* не_прокручивается не_работает не_реагирует
        не_сохраняется после_обновления после_перезапуска пропадает ずれて 不刷新 不响应 不显示 不更新 不生效
        不能点击 不起作用 保存されない 加载不 动かない 反応しない 多く表示 多一条 失效 对不上 少なく表示 少一条
        才有反应 打不开 找不到 押せない 改行されない 无效 显示不全 更新されない 正しくない 没刷新 没反应 没有反应
        消える 消失 点不了 表示されない 見つからない 遅れて 開かない 깨져 늦게 동작하지 못_찾 반응하지 사라짐 안_됨
        안_됩니다 안_보임 안_열림 저장되지_않 초기화됨 표시되지
    """,
    "EASY": """
        add_it_to_the as_before as_on_every_other basta_usar bring_it_back call_it clear_on_change easy_fix
        file_is_in_the grep_finds il_faut_passer in_memory just_needs like_on_every move_it nur_anzeige
        nur_die_darstellung one_line order_kept pass_--quiet readme_list reuse same_result should_close should_do_it
        should_say should_show simply text: texts: the_fix_is usar_la_variable usare_l'svg use_a_set
        use_the_variable utiliser_la_variable użyć_zmiennej we_already_have すればよい すれば直る 使えばよい
        使用变量 只需 改成_svg 正常 사용하면 하면_됩니다
    """,
    "CRAFT": """
        allocation allocations amd64 apple_silicon arm64 assert assertion async avertissement aviso avviso backoff
        bench benchmark bilddatei blanks boucle bucle buffer build build_time bundle_size busy_loop
        cache_invalidation cache_key carpeta cartella chemin ci ci_job ciclo code_splitting cold_start collision
        comment_in_the compil* compile compile_time compiles component comprehension connection_pool copyright
        coroutine cpu crash_report dataclass dataclasses datei dead_code dead_link* deadlock debounce
        deprecationwarning dev_only directory docker docker-compose dockerfile dossier edge_case event_listener
        f-strings fichier file_name filename folder fonction formatter freeze función function funkcja funktion
        funzione função garbage_collector git_hook github_actions golden gradle heap helper helpers hot_reload
        infinite internal_to intl iterator_invalidation jest kompilier* layer lazily_loaded lazy laço linter
        locale-aware localecompare lockfile logging_format loop makefile markdown memoiz* memory_usage mesh mkdir
        mocha mypy newline nightly_build no_behaviour null_check null_pointer nullability_warning off-by-one opacity
        optional_chaining ordner os.path ostrzeżeni* pager parser pasta path pathfinding pathlib paths pfad pipeline
        polling pre-commit print printing prova prueba pruebas pytest pyupgrade pętla race recursion regex regexp
        regulärer release_script rename_component render renderer rendu retries retry ruta_del_archivo sanitizer
        schleife screenshot script shader sleeping source_map sourcemap spec specs stack_overflow startup stderr_of
        storybook strip symlink* test teste testes tests testy thread threads throttle tile tiles
        timeout_of_the_test todo tree_shaking trim trimmed truncate_the_text type_annotations typing unicode utf-8
        version_bump vite vitest warning warnings warnung webpack wording_of_the zeilenumbruch ścieżka папк*
        предупрежд* путь тест тесты функци* цикл コンパイル スレッド テスト パス ビルド フォルダ メモリ ループ 内存
        再試行 函数 容器 循环 截图 文件夹 构建 正则 正規表現 测试 监听 线程 编译 警告 路径 重试 関数 경고 경로 루프
        메모리 빌드 스레드 재시도 정규식 컴파일 테스트 폴더 함수
    """,
    "FIXED": """
        arregl* beheb* bogue broken bug błąd błędn* comes_up complains conserta* correggere corrig* errada errado
        erro error error_message errore failing fails failure falsch falsche falscher fehler fehlerhaft fix fixed
        fixes glitch incorrect incorrect* incorrectly instead_shows korrig* mistake napraw* sbagliat* shows_up typo
        unexpected wrong wrongly исправ* неверн* неправильн* ошибк* バグ 不具合 不对 修复 写错了 出错 报错 直して
        誤っ 错误 間違 고쳐 깨짐 버그 오류 잘못
    """,
    "NEGATED": """
        are_not aren't can't cannot didn't does_not doesn't goes_below ignore_les is_not isn't n'est ne_répond
        ne_s'affiche ne_s'ouvre never nicht nie_jest nie_zatrzymuje no_longer no_responde no_se non_risponde non_si
        não_responde não_se too_big too_long too_loud too_narrow too_short too_small too_wide wasn't не_видно
        не_останавливается не_отвечает されない しない できない ません 不会 不响应 不能 没有 看不清 逆向き 못합니다
        안_됨 않습니다 않음
    """,
}
