"""Everyday engineering and people's roles, in eleven languages. See words_actions for the notation."""

EVERYDAY: dict[str, str] = {
    "CRAFT": """function helper helpers parser regex regexp loop retry retries backoff thread threads race deadlock allocations allocation buffer path paths filename file_name directory folder mkdir newline unicode trim trimmed strip
        blanks compile compiles build makefile ci pipeline gradle webpack vite dockerfile lockfile f-strings pyupgrade dataclass dataclasses comprehension iterator_invalidation memoiz* cache_key debounce throttle lazy async coroutine
        sleeping freeze crash_report stderr_of os.path pathlib symlink* heap cpu busy_loop polling render renderer shader mesh collision pathfinding tile tiles layer opacity truncate_the_text wording_of_the pager print printing
        golden test tests spec specs assertion assert bench benchmark screenshot comment_in_the dead_code dead_link* todo copyright deprecationwarning warning warnings linter formatter utf-8 locale-aware intl localecompare markdown
        fonction boucle chemin fichier dossier rendu avertissement compil* test tests script funktion schleife pfad datei ordner warnung kompilier* zeilenumbruch regulärer bilddatei
        función bucle ruta_del_archivo carpeta aviso prueba pruebas função laço pasta aviso teste testes funzione ciclo cartella avviso prova funkcja pętla ścieżka folder ostrzeżeni* test testy функци* цикл путь папк* предупрежд* тест тесты
        函数 循环 路径 文件夹 正则 线程 编译 构建 测试 警告 重试 监听 容器 截图 内存 関数 ループ パス フォルダ 正規表現 スレッド コンパイル ビルド テスト 警告 メモリ 再試行 함수 루프 경로 폴더 정규식 스레드 컴파일 빌드 테스트 경고 메모리 재시도""",
    "FIXED": """fix fixes fixed bug wrong wrongly incorrect incorrectly mistake error_message typo glitch unexpected broken instead_shows shows_up comes_up complains fails failing failure corrig* bogue arregl* beheb* korrig* fehler fehlerhaft falsch
        falsche falscher error incorrect* erro errado errada conserta* sbagliat* errore correggere błąd błędn* napraw* исправ* ошибк* неправильн* неверн* 修复 错误 不对 出错 写错了 报错 バグ 不具合 直して 誤っ 間違 버그 오류 잘못 고쳐 깨짐""",
    "MANY": """several multiple more_than_one many_to many plusieurs mehrere mehreren varias varios várias vários più_di_un diversi diverse kilka wiele wielu несколько нескольких 多个 若干 複数 여러""",
    "PERSONS": """intern interns trainee* trainer* teacher* cashier* staff employee* manager* supervisor* moderator* viewer* editor* guest* student* parent* patient* driver* seller* vendor* buyer* visitor* volunteer* contractor* freelancer* agents
        support_agent* colleague* member* participant* hr admin admins administrators bots bot stagiaire* employé* bénévole* vendeur* élève* parents adhérent* praktikant* mitarbeit* verkäufer* schüler* eltern lehrer* kassierer* azubi* externe
        empleado* becari* vendedor* alumno* padres profesor* funcionári* estagiári* aluno* pais professor* stagist* dipendent* venditor* student* genitor* docent* pracowni* stażyst* sprzedawc* uczni* uczeń rodzic* nauczyciel* kasjer*
        сотрудник* стажер* стажёр* продавец продавц* учени* родител* учител* кассир* модератор* 员工 实习生 卖家 商家 学生 家长 老师 主管 司机 普通用户 部门 社員 職員 スタッフ 生徒 保護者 先生 講師 部署 従業員 出品者 직원 인턴 판매자 학생 학부모 교사 매니저 부서""",
    "MAY": """can could may must_not shall_not should_not only allowed able_to permission_to right_to peut peuvent ne_doit ne_doivent seul seuls seule uniquement darf dürfen kann können nur puede pueden solo sólo solamente debería pode podem só somente apenas
        può possono soltanto solo może mogą tylko może может могут можно только нельзя разрешить запретить 只能 可以 只允许 不能 不允许 仅 だけ のみ できる できない 許可 禁止 可能 만 수_있 허용 금지 못하게""",
    "OWN": """their_own his_own her_own your_own own_data own_course own_team own_orders theirs les_siens les_siennes ses_propres eigenen eigene eigenes suyos suyas propios propias seus_próprios suas_próprias i_propri le_proprie suoi swoje swoich swój свои своих своего своей 自己的 本人 自分の 自社の 自部署 본인 자기 자신의""",
    "AGE_WORD": """days months years weeks year_old older jours mois ans années tagen monate monaten jahre jahren días meses años dias anos giorni mesi anni dni miesięcy lat дней месяц* лет года 天 个月 年前 年以上 日以上 か月 ヶ月 개월 년 일""",
    "SWITCHED": """instead_of currently now at_the_moment right_now so_far until_now today from_june from_january starting used_to previously au_lieu_de actuellement aujourd'hui jusqu'ici bisher aktuell momentan derzeit statt ab_sofort actualmente ahora hasta_ahora
        atualmente hoje até_agora agora attualmente oggi finora adesso obecnie teraz dotąd сейчас пока раньше с_января с_июня 原来 现在 目前 之前是 今は 現在 今まで 来月から 月から 현재 지금 기존에는 다음_달""",
    "CONSULT": """check_with ask_sales ask_legal clarify up_to_whoever up_to_you see_the_call see_the_meeting as_talked leave_it_to lean_to thinks_it opinions views_differ legal_first marketing_says design_first voir_avec demander_à à_valider klären abklären rücksprache juristisch abstimmen
        consultar preguntar confirmar_con verificar_com perguntar chiedere confermare_con zapytać ustalić_z skonsultować уточнить спросить согласовать 确认一下 问一下 找产品 商量 確認して 聞いて 相談 確認が必要 확인_필요 물어 상의""",
    "RHETORIC": """why really seriously how_come on_earth nobody_notice ever_tested who_tested anybody_test pourquoi vraiment sérieusement warum wirklich ernsthaft wieso por_qué de_verdad nadie por_quê sério ninguém perché davvero possibile_che dlaczego naprawdę почему неужели сколько_можно серьёзно
        为什么 难道 怎么会 なぜ どうして 本当に 왜 정말""",
    "HARMLESS": """permission_denied sort_key key_prop sign_in_with dependency_injection price_tag_icon git_checkout tips_and keyboard_key delete_key key_repeat translation_key hot_key list_key public_holiday test_suite session_list key_binding* drop-down drop_down drop_shadow drop_zone""",
    "PLACE": """page pages screen screens list lists form forms field icon icons button buttons tab tabs view views dialog dialogs banner label labels section menu column columns template preview tooltip widget logo header footer input box
        component components badge picture illustration link_colour heading text texts hint hints placeholder layout tag story storybook print printout pdf thumbnail counter banner animation modal popup drawer page_title mask masks select
        page écran liste formulaire champ icône bouton onglet vue libellé modèle aperçu seite liste formular feld icon symbol knopf reiter ansicht maske dialog spalte vorlage vorschau beschriftung bildschirm
        página pantalla lista formulario campo icono botón pestaña vista etiqueta plantilla página tela lista formulário campo ícone botão aba modelo rótulo pagina schermata lista elenco modulo campo icona bottone pulsante scheda etichetta modello
        strona ekran ekranie lista formularz pole ikona przycisk zakładka widok etykieta szablon podgląd страниц* экран* список списка форм* поле иконк* кнопк* вкладк* шаблон* подпис*
        页 页面 按钮 图标 列表 输入框 表单 弹窗 界面 标签 模板 画面 ページ ボタン アイコン 一覧 入力欄 フォーム ラベル 欄 タブ テンプレート 화면 페이지 버튼 아이콘 목록 입력칸 폼 라벨 탭 템플릿 팝업""",
    "PROD_DATA": """replicas replica database customers'_data customer_data production_database all_tags all_branches github_releases clusters""",
}
