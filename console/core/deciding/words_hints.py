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
        aba achse al_cargar align-items alphabetic* altezza altura ancho animación animacj* animated animation
        animazione animação animiert ansicht anzeige ao_digitar arrow_keys aspect_ratio atajo* atalho* audio
        auswahlliste autocomplete avatar* avatare axis bandeau barra barra_de_progreso barra_de_progresso
        barra_di_avanzamento barre_de_progression beim_blättern bildcache bildschirm bildschirme blockquote
        botones_de botón bouton_enregistrer brackets breadcrumb* breite breiter bulle busca buscador búsqueda
        calendar calendario calendrier calendário camera campo_de_busca campo_de_búsqueda campo_di_ricerca caps_lock
        carousel carte case_sensitive_search celular champ_de_recherche character_counter chart checkbox_alignment
        chevauche clavier clic cliccare click clicked clicking clicks clipboard clique clock_in color_picker
        colour_picker combo_box componente composant composer contador contêiner copied copy_button croissant
        ctrl+enter ctrl+s curseur cursor cursore date_picker deep_copy default_text desalinhad* desktop desplaza
        diagramm dialog digitar digits dirty_check disable_the_button domingo double_click drag drag_and_drop
        drag_handle druck drucken déborde défilement eingabefeld ekran ekranach elenco empty_message empty_state
        enlace_a enter_key escape_key esqueleto esticada event_listener fenster fensterhöhe fenêtre fenêtre_modale
        figma file_dialog finestra finestre first_letter flex focus footer form_state fortschritt* frappe
        full-screen fullscreen fusszeile galeri* galeria galerie galería galleria gallery ganha_foco gedruckt
        gesture grafici grafico graphique grey_box grid gráfico gráficos handy handys hauteur header_row
        hits_are_shown home_screen hover_state höhe illustration image imagem imagen images immagine immagini
        impression in_landscape in_the_template indicator input_field invalid_field inversé janela joystick kachel*
        kalendarz kalender karte karteikarte klawiatur* kleine kleinen klick kliknię* kliknięciu knopf knöpfe
        komponent* kontextmenü kopfzeile kursor* ladebalken landscape largeur larghezza largura letras lettere
        letters lettres level line_height list_is_empty list_view lista liste liste_déroulante liter loading_icon
        loading_indicator login_box long_forms lunedì lunes map_tiles map_view mapa mappa markdown marker
        matching_brackets menu menus menú menü menüpunkt miniatur* minimized modal mois monday montag
        moteur_de_recherche mute móvil najechan* najeż* navigation nested_lists number_field object-fit obraz*
        odstęp* off_screen okn* okna okno on_mobile onglet own_file page_2 page_break page_d'accueil_affiche
        page_jumps page_number pantalla pantallas parent_window particle pasek pasek_postępu pdf pestaña petit_écran
        petits_écrans phone_screen photo picker picture player_control player_controls plural plural_form podgląd
        pole_tekstowe pop-up popup portrait preview print print_template printing prints_street product_card
        product_page progress progress_bar przewija* pull_to_refresh página_de quoted_text raccourci* recherche
        regler reiter rendu result_count resultados_de_búsqueda ricerca ricerca_nella rola row_height rozwijan*
        ruckelt résultats_de_recherche saccade save_button scheda schermi schermo schieberegler schmal schriftzug
        scorciatoi* scorre screen screens scroll_position scrollposition se_corta search_box search_is_case
        search_result search_results second_line segunda-feira select_box selector shortcut* sidebar sidebar_does
        sign-up_form site_map skeleton skeleton_screen skrót_klawiszow* slider small_phones small_screen
        small_screens socket sonntag sort sorted sound spalten spinner_stays splash_screen springt sprite squashed
        start_page startseite_zeigt status_bar statuszeile sticky stopk* stopwatch story_for storybook stretched
        subtitle subtitles suche suchergebnis* suchfeld suchfunktion suggestion* sunday swipe switch_button
        szerokość tab tab_order tab_title tablet tablette tabs tap tapping taskbar tastatur tastenkombination
        tastenkürzel tastiera teclado tela telas text_box text_field textfeld the_map the_word three_variants
        thumbnail* tiles timer tirones title_bar titolo titre toggle toolbar touch touchend tray tri tri_par
        type-ahead typing tytuł* título unread_counter upload_bar ventana video virtual_list vista volume
        volume_slider vorschau watcher week_starts widget window_height window_size window_title word-break wykres*
        wysokość wyszukiwani* wyszukiwark* zakładk* zdjęcie zeilenhöhe znakami zoom zoom_level zooming écran ícones
        überschrift анимац* букв* вкладк* высот* высот*_окна галере* график графике жест заголов*ок календар* карт*
        картинк* клавиатур* клик кнопка кнопками компонент* курсор* логотип* меню наведени* окна окне окно поиск
        поле_ввода полос*_прогресса прокрутк* прокручива* сдвигается сочетание_клавиш список строка_поиска таймер
        узких ширин* экран экрана экранах はみ出 アニメーション ウィンドウ カレンダー キーボード ギャラリー クリック
        グラフ コンポーネント サムネイル ショートカット スクロール位置 スライダー スワイプ タブ ファイル名 フォント
        メニュー ローディング ロード中 一覧 下拉 並び替え 並び順が 件数 光标 入力欄 再生 分页器 切换语言 列表 刷新
        加载下一页 动画 图例 图片 图片加载 图表 地図 地图 夜间模式 头像 字母 宽度 对调 小さい画面 小屏幕 屏幕 幅
        弹窗 快捷键 悬停 戻るボタン 折り返 排序图标 搜索 搜索框 搜索结果 数字键 文字が 文字化け 方向反 日历 昇順
        标签时 标题 标题栏 検索 検索欄 検索結果 滑动 点击 画像 画廊 画面が 画面表示 看不清 移动端 窗口 组件 缩略图
        菜单 表示が 見出し 説明に 超出 输入框 边界 进度条 進捗バー 键盘 闪烁 降順 音 页码 页面显示 首屏 高さ 高度
        갤러리 검색 검색_결과 그래프 글자 너비 높이 단축키 달력 뒤로 로딩 머리글 메뉴 목록 사라짐 새로고침 숨기기
        스크롤 썸네일 안_사라짐 애니메이션 이미지_표시 입력_이벤트 입력창 입력칸 자동완성 작은_화면 정렬이 제각각
        제목 지도 진행률 창_크기 창이 캘린더 커서 컴포넌트 크기가 클릭 키보드 탭 포커스 한_글자 화면_표시
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
        404s abgeschnitten aceita_letras affiche_les aktualisiert_nicht appears_twice at_99 blank_page bleibt_hängen
        bleibt_stehen brak_tłumaczenia broken can't_be_closed cannot_be_closed chokes cortado coupé covered_by
        cut_off da_404 da_error dall'aggiornamento depuis_la_mise desaparece desde_a_atualização
        desde_la_actualización desordenad* disappears disparaît does_not_work doesn't_work doesnt doppelt
        doppelt_angezeigt doubled drawn_over duplicado_na duplicat*_entry décalé eats empty_list en_anglais encoding
        erreur_500 fallo_al falsch_sortiert falsche_werte faltando fehlt findet_keine flash* funktioniert_nicht
        garbled geht_nicht gives_404 happens_since hard_to_hit hidden_by hinterlässt ignored ignoriert ilegible
        ilegível illeggibile illisible infinite_loop instabile invisible is_blank is_cut is_drawn is_hidden
        is_ignored isn't_centered isn't_shown jump* jumps_back keeps_playing kein_bild kompiliert_nicht loses
        loses_its mal_alineado manca_il manquant missing mojibake more_than_once n'affiche nan ne_fonctionne
        ne_marche ne_s'actualise ne_se_met_pas ne_trouve_pas never_shown nicht_gefunden nie_działa nie_odświeża
        nie_otwiera nie_reaguje nie_wyświetla nie_zamyka nie_zapisuje nie_znajduje nie_ładuje nieczyteln* no_abre
        no_aparece no_carga no_coincide no_cuenta_bien no_encuentra no_funciona no_guarda no_llega no_se_actualiza
        no_se_ve non_carica non_funziona non_salva non_si_aggiorna non_si_apre non_si_vede non_trova not_displayed
        not_shown not_sorted not_working null_is não_abre não_acha não_aparece não_atualiza não_carrega não_funciona
        não_ordena não_rola não_salva od_aktualizacji off_by_one off_screen one_too_many overlap perd_le_focus
        random_order reagiert_nicht regression resta_aperto reste_bloqu* reste_ouvert ruckelt s'affiche_mal s'arrête
        se_cierra_solo se_queda seit_dem shows_24 shows_nan shows_undefined si_legge_male since_the_update
        since_the_upgrade since_version some_no sovrapposta sparisce springt_zurück stay stays stays_at stehen
        stopped_working stuck sumiu swapped tagliat* too_early too_late travando tronqué trop_lents trop_proche
        twice_in ucięt* unconverted undefined unescaped_text unleserlich unreadable upside_down used_to_work utf-8
        vanish* verrutscht verschwindet wrong_direction wrong_file wrong_name wrong_order wrong_place za_mały
        zasłonięt* zeigt_falsche znika zostaje überlappt долго_открывается не_загружается не_закрывается не_находит
        не_обновляется не_открывается не_отображ* не_переведен* не_показыв* не_прокручивается не_работает
        не_реагирует не_сохраняется нечитаем* обрезан* после_обновления после_перезапуска пропадает съезжает ずれて
        不刷新 不响应 不显示 不更新 不生效 不能点击 不起作用 保存されない 切れる 加载不 加载失败 动かない 効かない
        反了 反応しない 多く表示 多一条 失效 对不上 少なく表示 少一条 戻ってしまう 才有反应 打不开 找不到 押せない
        改行されない 无效 显示不全 更新されない 正しくない 没刷新 没反应 没有反应 消える 消失 点不了 看不到
        表示されない 被遮挡 見つからない 誤字 読めない 超出边界 遅れて 重なる 错位 開かない 가끔_실패 겹침 깨져 늦게
        동작하지 못_찾 반응하지 사라짐 안_닫힘 안_됨 안_됩니다 안_보임 안_열림 잘려 저장되지_않 초기화됨 표시되지
    """,
    "EASY": """
        as_before as_on_every_other basta_usar bring_it_back call_it clear_on_change easy_fix grep_finds
        il_faut_passer in_memory just_needs move_it nur_anzeige nur_die_darstellung one_line order_kept pass_--quiet
        readme_list reuse same_result should_close should_do_it should_say should_show simply text: texts:
        the_fix_is usar_la_variable usare_l'svg use_the_variable utiliser_la_variable użyć_zmiennej we_already_have
        すればよい すれば直る 使えばよい 使用变量 只需 改成_svg 正常 사용하면 하면_됩니다
    """,
    "CRAFT": """
        allocation allocations amd64 apple_silicon arm64 assert assertion async avertissement aviso avviso backoff
        bench benchmark biblioteca bibliothèque bilddatei bitmap blanks boucle bucle buffer build build_time
        bundle_size busy_loop cache_invalidation cache_key carpeta carpeta_temporal cartella casos chemin ci ci_job
        ciclo code_splitting cold_start collision comment_in_the compil* compile compile_time compiles component
        comprehension connection_pool copyright coroutine cpu crash_report côté_client dataclass dataclasses datei
        dead_code dead_link* deadlock debounce deprecationwarning dev_only directory docker docker-compose
        dockerfile dossier edge_case event event_listener f-strings feuert fichier file_name filename filtrar_ao
        folder fonction formatter freeze función function funkcja funktion funzione função garbage_collector
        git_hook github_actions golden gradle grammatik heap helper helpers hervorhebung hot_reload infinite
        internal_to intl iterator_invalidation jest kompilier* layer lazily_loaded lazy laço linter listener
        locale-aware locale_à localecompare lockfile logging_format loop makefile markdown memoiz* memory_usage mesh
        mkdir mocha mypy nasłuchiwanie newline nightly_build no_behaviour null_check null_pointer
        nullability_warning off-by-one opacity optional_chaining ordner os.path ostrzeżeni* pager parser pasta path
        pathfinding pathlib paths pfad pipeline polling pre-commit print printing prova prueba pruebas pytest
        pyupgrade pętla race recortar recursion regex regexp regulärer release_script rename_component render
        renderer rendu retries retry ruta_del_archivo sanitizer schleife screenshot script serveur_pour shader
        sin_tocar sleeping source_map sourcemap spec specs stack_overflow startup stderr_of storybook strip symlink*
        test teste testes tests testy thread threads throttle tile tiles timeout timeout_of_the_test todo
        tree_shaking trim trimmed truncate_the_text type_annotations typing unicode utf-8 version_bump vite vitest
        warning warnings warnung webpack wording_of_the zeilenumbruch zwischenspeicher événement ścieżka в_цикле
        заглушк* одним_запросом папк* предупрежд* путь тест тесты функци* цикл コンパイル スレッド テスト パス
        ビルド フォルダ メモリ ループ 内存 再試行 函数 固定 容器 循环 快照 截图 文件夹 未設定 构建 正则 正規表現
        比較関数 测试 监听 监听器 线程 编译 警告 路径 重试 関数 경고 경로 기다리도록 루프 메모리 빌드 스레드 재시도
        정규식 컴파일 타임아웃 테스트 폴더 함수
    """,
    "FIXED": """
        arregl* beheb* bogue broken bug błąd błędn* comes_up complains conserta* correggere corrig* errada errado
        erro error error_message errore failing fails failure falsch falsche falscher fehler fehlerhaft fix fixed
        fixes glitch incorrect incorrect* incorrectly instead_shows korrig* mistake napraw* sbagliat* shows_up typo
        unexpected wrong wrongly исправ* неверн* неправильн* ошибк* バグ 不具合 不对 修复 写错了 出错 报错 直して
        誤っ 错误 間違 고쳐 깨짐 버그 오류 잘못
    """,
    "NEGATED": """
        are_not aren't can't cannot didn't does_not doesn't goes_below ignore_les isn't n'est ne_répond ne_s'affiche
        ne_s'ouvre never nicht nie_jest nie_zatrzymuje no_longer no_responde no_se non_risponde non_si não_responde
        não_se too_big too_long too_loud too_narrow too_short too_small too_wide wasn't не_видно не_останавливается
        не_отвечает されない しない できない ません 不会 不响应 不能 没有 看不清 逆向き 못합니다 안_됨 않습니다 않음
    """,
}
