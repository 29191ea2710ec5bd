"""Parts of words that go with a person's decision, by category, and those that go with plain work. By a program.

Logistic regression with L2 over the labelled tickets, by tests/data/tickets/fit.py; the names are those of
`features.parts_of`, the numbers hundredths of a weight, the category the one whose tickets have the part most often.
Parts of weight 0 count for the length of a text only. Not to be edited by hand: run the fit again.
"""

from __future__ import annotations

WORDS: dict[str, dict[int, str]] = {
    "schema": {
        170: """
            ^and$
        """,
        145: """
            ^at$
        """,
        115: """
            ^a$ ^per$
        """,
        110: """
            ^id$ ^new$
        """,
        105: """
            ^user
        """,
        100: """
            ^mit$
        """,
        95: """
            ^стар
        """,
        90: """
            ^we$
        """,
        85: """
            ^e$ ^must ^store
        """,
        80: """
            ^by$
        """,
        75: """
            ^arti ^must$ ^store$ ^user$ 회원
        """,
        70: """
            ^cada ^entr ^il$ 회
        """,
        65: """
            ^mome ^momen ^moment ^now$ ^null ^writ
        """,
        60: """
            ^conv ^have ^kund ^kunde ^more ^more$ ^сейч ^сейча ^сейчас ^сейчас$ ^хран 号
        """,
        55: """
            ^database$ ^db$ ^gli$ ^mysq ^mysql ^mysql$ ^save ^tags ^tags$ ^takes ^takes$ ^ticket ^стары of_a 用户 老
            도
        """,
        50: """
            ^best ^chat ^have$ ^hours ^hours$ ^kunden ^lang ^moment$ ^prim ^qui$ ^that ^that$ ^ther ^there$ index_on
            the_moment
        """,
        45: """
            ^an$ ^artic ^conve ^conver ^corr ^deli ^keep$ ^primar ^princ ^princi ^principa ^quant ^quanti ^save$
            ^today ^today$ ^us$ utf_mb 持
        """,
        40: """
            ^bish ^bishe ^bisher ^bisher$ ^filte ^filter ^ist$ ^need$ ^nick ^prima ^room$ ^speichern$ ^there ^utenti
            ^utenti$ ^храни ^хранит make_it 字段 存 段 기존 존
        """,
        35: """
            ^actu ^auftrag$ ^aujo ^aujou ^aujour ^aujourd$ ^date ^deliv ^delive ^devi ^existe ^go$ ^hui$ ^kept ^kept$
            ^künf ^künft ^künfti ^künftig$ ^lists ^lists$ ^need ^note ^notes ^notes$ ^primary$ ^spei ^speic ^speich
            ^speicher ^tabe ^tabel ^titles ^titles$ ^una$ ^write ^write$ aujour_hui phone_number s_in up_to 주 해
        """,
        30: """
            ^articl ^audi ^fich ^gesp ^gespe ^inser ^keep ^modi ^modif ^nickn ^nickna ^nickname ^numb ^numbe ^number
            ^order$ ^original$ ^pole$ ^prese ^presen ^registro ^scho ^stoc ^stock ^stock$ ^tenu ^thos ^those ^those$
            ^un$ ^utf$ ^varc ^varch ^varcha ^varchar$ ^werd ^werde ^werden ^werden$ ^y$ ^сдел ^сдела ^сделат ^сделать$
            as_a create_at old_ones right_now we_need with_the 个 加 장 저
        """,
        25: """
            ^beco ^becom ^become ^belo ^beste ^blob ^blob$ ^devic ^device ^divi ^divid ^due$ ^enti ^et$ ^fiche ^habe
            ^hold$ ^inventor ^inventory$ ^later$ ^name$ ^order ^postg ^postgr ^postgres ^postgres$ ^present$ ^primeiro
            ^primeiro$ ^recip ^rest$ ^separate ^sqli ^sqlit ^sqlite ^sqlite$ ^tickets$ ^une$ ^varias ^varias$ ^може
            ^может ^может$ ^старо ^старое ^старое$ abstur_beim aggiun_il are_kept de_cada first_and for_new get_the
            per_gli the_origin を持 手机 手机号 机 机号 마다
        """,
        20: """
            ^article$ ^audit ^bekommen ^bekommen$ ^berl ^berli ^berlin ^birt ^birth ^cadas ^cadast ^cadastro ^chaq
            ^chaqu ^chaque ^chaque$ ^entre ^esistent ^esistenti$ ^events ^events$ ^exis ^exist ^filter$ ^game
            ^guardar$ ^hoy$ ^ids$ ^mehr ^modifi ^nell$ ^orde ^pair ^pinn ^pinne ^pinned ^pinned$ ^producto ^producto$
            ^quan ^ques ^quest ^registro$ ^sepa ^separ ^separa ^solle ^sollen ^sollen$ ^suff ^suffi ^suffit ^suffit$
            ^timest ^timestam ^toge ^toget ^togeth ^together ^together$ ^uten ^utent ^карт ^неск ^неско ^нескол
            ^нескольк ^несколько$ ^сервера$ ^у$ ^хранить$ an_index and_every are_shared first_start from_now
            gli_utenti id_create id_en is_a last_name long_for more_than now_on on_events stays_the the_day too_long
            でき 个字 可 商 支持 既 需 겨 세 옮 옮겨
        """,
        15: """
            ^acro ^acros ^across ^across$ ^adhé ^adhér ^adhére ^adhérent ^adhérents$ ^adresses ^adresses$ ^ahor ^ahora
            ^ahora$ ^alter$ ^articles ^articles$ ^bele ^beleg ^belon ^belong ^big$ ^cadastro$ ^cate ^categ ^catego
            ^categorías$ ^convert$ ^corru ^corrup ^decimals ^decimals$ ^divide ^déjà ^déjà$ ^eige ^eigen ^eigene
            ^eigene$ ^entit ^entri ^entrie ^entries$ ^fami ^famil ^famili ^families ^families$ ^guard ^hold ^hour
            ^kunde$ ^langu ^later ^leer$ ^limite ^name ^obbl ^obbli ^obblig ^obbligat ^obbligatorio$ ^posso ^posson
            ^possono$ ^posta ^postal ^postal$ ^query ^reada ^readab ^readable ^readable$ ^readi ^readin ^recen ^recent
            ^rell ^relle ^rellen ^rellenar ^repre ^rewritte ^rewritten$ ^shipm ^shipme ^shipment ^shipment$ ^surv
            ^survi ^surviv ^survive$ ^table$ ^telefono ^telefono$ ^tene ^termine$ ^to$ ^univ ^vorh ^vorha ^vorhan
            ^vorhande ^vorhandene$ ^únic ^único ^único$ ^значения ^значения$ ^карто ^карточ ^карточке ^карточке$
            ^строка ^строка$ ^хранится ^хранится$ a_copy a_json belong_to charac_are it_a json_blob keep_the m_rows
            ne_suffit need_a of_their on_readin read_the run_out than_charac the_blob those_in to_date to_it
            varias_catego we_should who_change write_the y_rellen в_карточ хранит_в にす にする 合 商品 存の 并 庫
            改成 既存 既存の 的账 的账号 複 账 账号 기 나누 누 상세 소 있음 째로
        """,
        10: """
            ^actue ^actuel ^actuelle ^admins ^admins$ ^bit$ ^categorí ^closes ^closes$ ^comments ^comments$ ^conc
            ^count$ ^device$ ^doda ^dodać ^dodać$ ^encrypt$ ^existi ^existing ^existing$ ^game$ ^già$ ^hash$ ^inse
            ^lo$ ^long ^lose ^mism ^on$ ^one$ ^orders ^orders$ ^parent$ ^player$ ^plusi ^plusie ^plusieur ^plusieurs$
            ^reading$ ^record$ ^scan ^serve$ ^spalte$ ^stops ^stops$ ^tabela ^vers ^weekd ^weekda ^weekday$ ^zeic
            ^zeich ^zeiche ^zeichen$ ^zone ^зака ^заказ ^перевест ^перевести$ ^поле ^поле$ ^стро ^строк a_user hui_une
            needs_the openin_hours per_weekda shown_in store_the takes_s two_people un_articl what_s を追 を追加 欄 现
            现在 索 索引 长 需要 는 저장
        """,
        5: """
            ^añad ^añadi ^añadir ^añadir$ ^contac ^guar ^once ^once$ ^titl ^title ^заказа ^заказа$ 级
        """,
    },
    "api": {
        140: """
            ^get$
        """,
        125: """
            ^v$
        """,
        115: """
            に
        """,
        105: """
            and_the
        """,
        90: """
            ^clie ^clien ^client ^publ ^publi ^rece
        """,
        85: """
            ^item
        """,
        80: """
            ^las$
        """,
        75: """
            ^toda
        """,
        70: """
            ^answ ^answe ^answer ^created$ ^from$ ^items ^items$ ^send instea_of
        """,
        65: """
            ^public ^public$ ^с$
        """,
        60: """
            ^create ^depu ^deve ^ein$ ^find ^format$ ^inte ^pasa ^receiv ^resp ^users$ have_to 接
        """,
        55: """
            ^config ^envi ^null$ ^pedi ^von$ 변경
        """,
        50: """
            ^anci ^ancie ^ancien ^answer$ ^clients$ ^conf ^crea ^creat ^from ^gets ^gets$ ^inste ^instea ^instead$
            ^integ ^integr ^müss ^part ^pedid ^pedido ^recei ^xml$ 为 변
        """,
        45: """
            ^api$ ^confi ^gibt ^gibt$ ^jetz ^pole ^requir ^retu ^retur ^return ^scripts$ change_the into_the 改为 필요
        """,
        40: """
            ^alia ^alias ^alias$ ^cons ^deprecate$ ^enviar ^enviar$ ^fields ^fields$ ^funci ^know ^müsse ^müssen
            ^müssen$ ^noch ^noch$ ^partn ^partne ^pedido$ ^response ^respu ^respue ^respuest ^rout ^route receiv_the
            ます 他 方 경
        """,
        35: """
            ^apps ^apps$ ^body ^body$ ^bool ^depui ^depuis ^depuis$ ^entry ^entry$ ^imme ^immer ^immer$ ^integrat
            ^library$ ^mill ^numbers$ ^parametr ^parametro$ ^quita ^quitar ^quitar$ ^read$ ^requi ^respo ^respon
            ^scrip ^script ^search$ ^sind ^sind$ ^tell ^users ^verb ^was$ ^мето ^метод ^метод$ ab_immer depend_on
            depuis_la il_parame like_every settin_in the_event the_respon える 三 同 直接 都 언
        """,
        30: """
            ^adap ^adapt ^antw ^antwo ^antwor ^antwort$ ^argu ^argum ^argume ^argument ^boole ^boolea ^call ^cambiar$
            ^color$ ^config$ ^drop$ ^feed ^feed$ ^funcio ^funciona ^into ^into$ ^iso$ ^it$ ^moves ^moves$ ^param ^quit
            ^renv ^renvo ^renvoi ^renvoie$ ^response$ ^respuesta$ ^retries$ ^route$ ^sdk$ ^skri ^skrip ^skript
            ^skripte$ ^snak ^snake ^snake$ ^tutt ^und$ ^uuid ^verbo ^verbos ^wants ^wants$ ^will on_all on_it
            search_for snake_case the_id the_public いま に変 変 默 默认
        """,
        25: """
            ^answers$ ^argument$ ^artik ^artike ^becomes$ ^boolean$ ^callb ^callba ^callback ^carry ^carry$ ^changelo
            ^changelog$ ^color ^defa ^defau ^defaul ^depend$ ^envia ^errors ^errors$ ^existent ^exits ^exits$ ^forme
            ^former ^former$ ^ini$ ^interf ^interfac ^interface$ ^know$ ^komm ^komma ^oggi ^oggi$ ^our$ ^parame
            ^partners ^partners$ ^placed ^proto ^returns$ ^sear ^searc ^search ^toml ^toml$ ^trze ^versions ^старый
            ^старый$ a_last a_ser by_defaul cambia_el comple_de dates_in de_la el_campo get_it la_respue no_alias
            number_in old_one quitar_el the_client the_former してい に変更 报错 返 공 식 필 형 형식
        """,
        20: """
            ^accor ^accord ^accordin ^according$ ^ancienne ^break ^break$ ^campos ^campos$ ^controll ^default$ ^depe
            ^depen ^depend ^exac ^exact ^exactl ^exactly$ ^exceptio ^follow$ ^getl ^getli ^getlis ^getlist$ ^http$
            ^każda ^każda$ ^legac ^legacy ^legacy$ ^libr ^libra ^librar ^novo ^novo$ ^obs$ ^ohne ^ohne$ ^parte ^parten
            ^partenai ^partenaires$ ^pasa$ ^plug ^plugi ^plugin ^plugin$ ^plugins$ ^públ ^públi ^públic ^remover$
            ^reno ^return$ ^score ^scri ^steht ^steht$ ^suppri ^supprime ^supprimer$ ^tell$ ^thir ^third ^third$ ^traf
            ^value$ ^verbose$ ^дата ^дата$ ^перей a_link accord_to and_o and_people código_de do_the every_other
            feed_as fetch_all goes_away it_in no_longer number_as nur_noch read_it search_return settin_ini
            should_carry should_come stop_after the_defaul the_integr the_json the_second the_value two_partne うに え
            てい ていま へ よう ように り値 コー コード ポ 三方 値 口 回 形 戻り 戻り値 接口 第三 第三方 返し 返して
            라이 라이언 번호를 언트 연 이언 이언트 클라 클라이 합 합니 합니다 호를
        """,
        15: """
            ^adapte ^ajus ^ajust ^ajusta ^ajustar$ ^ange ^arriv ^będz ^będzi ^będzie ^będzie$ ^changed$ ^confo ^consu
            ^consum ^consumer ^consumers$ ^cria ^criad ^criado ^criado$ ^crm$ ^depr ^depre ^deprec ^deprecat
            ^document$ ^exit ^false ^false$ ^feld ^feld$ ^find$ ^fore ^funcionar$ ^graphq ^graphql$ ^handle$ ^hooks
            ^hooks$ ^http ^import$ ^je$ ^leas ^least ^least$ ^merc ^mist ^mista ^mistak ^mistake$ ^mixe ^move ^node
            ^nome$ ^núme ^númer ^número ^número$ ^object$ ^pagi ^pagin ^pagina ^parcels$ ^partner$ ^party ^party$
            ^perde ^precis ^promi ^promis ^rele ^relea ^releas ^scor ^second$ ^ser$ ^sero ^seron ^seront ^seront$
            ^spellings$ ^take$ ^true ^true$ ^uuid$ ^yyyy ^yyyy$ ^zmie ^zmien ^zmieni ^zmienić$ answer_with are_no
            as_iso as_second at_least at_presen de_funcio empty_list es_un event_user for_all get_a il_comand in_all
            in_config in_messag is_the it_into le_champ line_items of_comma of_when out_there pedido_criado print_a
            rename_event s_for second_argume the_test third_party います じ び スポ スポン ポン ポンス レス レスポ 利
            口返 口返回 同じ 変更 接口返 更 秒 공지 답의 응답의 통 통일
        """,
        10: """
            ^adresse$ ^als$ ^brea ^breaki ^breaking ^breaking$ ^calli ^callin ^calling$ ^comando$ ^curs ^curso ^códi
            ^códig ^código ^código$ ^dates ^dates$ ^dir$ ^drop ^endp ^everyw ^everywhe ^everywhere$ ^fetc ^fetch ^foll
            ^follo ^follow ^forev ^foreve ^forever$ ^func ^inter ^iter ^itera ^iterat ^june ^june$ ^komme ^kommen
            ^node$ ^option$ ^postl ^postle ^postleit ^postleitzahl$ ^renom ^shal ^shall ^shall$ ^types ^types$ ^ware
            ^wareh ^wareho ^warehous ^warehouse$ ^warn ^долж ^долже ^должен ^должен$ ^заме en_la for_everyb it_from
            künfti_als lo_usa o_nome our_config set_it the_x with_an し ンで 报 新 日付 时间 法 返回 답 응답 클
        """,
        5: """
            ^code ^cursor ^cursor$ ^obje ^objec ^object ^plac ^place ^suppr ^отве ^ответ remove_the で
        """,
    },
    "security": {
        160: """
            ^can$
        """,
        115: """
            ^they ^they$
        """,
        95: """
            ^let$
        """,
        90: """
            ^any$ ^out$ ^que$
        """,
        80: """
            ^thei ^their ^their$ ^who$ 户
        """,
        75: """
            ^passw
        """,
        70: """
            ^may$ ^ticke
        """,
        65: """
            ^bez$ ^host ^mail ^phone$ ^regis ^regist the_url
        """,
        60: """
            ^post ^with with_a 비
        """,
        55: """
            ^not$ ^switch$ ^widz ^widzi up_in 能 部
        """,
        50: """
            ^allow$ ^gues ^own$ ^room ^sendi ^sendin ^sending$ ^someb ^somebo ^somebody ^somebody$ ^tick ^with$ ^паро
            ^парол ログ
        """,
        45: """
            ^anyt ^anyth ^anythi ^anything ^anything$ ^mails ^mails$ ^serv ^serve ^stil ^still ^still$ ^suppor
            ^support$ ^tout ^turn$ ^смен must_not
        """,
        40: """
            ^addr ^addre ^addres ^allow ^chec ^check ^comme ^commen ^conse ^cont ^conta ^environm ^konto ^konto$
            ^minut ^minutes$ ^pers ^proj ^proje ^projec ^requ ^suppo ^up$ ^widzi$ their_own が見 导 止 見
        """,
        35: """
            ^aler ^alert ^bloquear ^bloquear$ ^comment$ ^connec ^conseg ^environment$ ^für$ ^guests ^guests$ ^invit
            ^look$ ^me$ ^minute ^my$ ^oner ^onerr ^onerro ^onerror$ ^perso ^person ^phon ^phone ^prox ^proxy ^proxy$
            ^pued ^repos ^reposi ^reposito ^server$ ^smtp ^smtp$ ^troc ^troca ^turn ^url$ ^worksp ^workspac ^открыт
            ^открытом ^открытом$ can_open contai_the in_there la_page of_other smtp_passwo the_smtp user_input
            в_открыт 员 导出 生 话
        """,
        30: """
            ^acce ^accep ^accept ^acces ^alert$ ^contains ^contains$ ^contra ^depoi ^depois ^depois$ ^ends ^ends$
            ^envir ^enviro ^guest ^host$ ^outra ^outra$ ^owne ^owner ^passwo ^peut ^peut$ ^prot ^publis ^publish$
            ^puede ^qualq ^qualqu ^qualquer ^qualquer$ ^server ^sign ^trocar ^trocar$ ^wejś ^widzie ^widzieć$ ^смены
            ^смены$ depois_de img_src in_my in_plain onerro_alert src_x the_export the_phone widzie_tylko x_onerro う
            グ 客
        """,
        25: """
            ^acceso ^acceso$ ^address$ ^apar ^block$ ^check$ ^configur ^conn ^contai ^contr ^contract ^contro ^doma
            ^domai ^domain ^domain$ ^download$ ^editi ^exportar ^exportar$ ^frames ^frames$ ^hoste ^html ^html$ ^kont
            ^pode ^pops ^pops$ ^powi ^puede$ ^recep ^reje ^see$ ^shar ^shared ^shared$ ^stop$ ^toute ^valer ^works
            ^workspace$ ^zapisu ^серв ^серве ^сервер below_the in_as in_both may_be no_link of_privat open_the pops_up
            show_up 客户 就 把 無 通 관 번호 해야
        """,
        20: """
            ^anyo ^anyon ^anyone ^anyone$ ^apare ^aparec ^bast ^basta ^basta$ ^bloq ^bloqu ^bloque ^boar ^board ^colle
            ^compan ^conne ^cook ^cooki ^cookie ^dependab ^dependabot$ ^down ^editio ^edition$ ^empl ^emplo ^employ
            ^employee ^employees$ ^encor ^encore ^encore$ ^encrypte ^encrypted$ ^logge ^nada ^owner$ ^pages ^pages$
            ^passwords$ ^personal ^pin$ ^pupi ^pupil ^register ^share ^staf ^staff ^staff$ ^teac ^teach ^teache
            ^token$ ^tout$ ^visit ^visito ^вход ^откр ^откры a_commen and_after build_fails but_not can_see can_switch
            e_mail for_login from_our i_can is_hidden nach_passwo not_to parent_of run_in see_the the_downlo
            the_header the_page turn_on ストー 会し 会した 力 就能 看到 退会し
        """,
        15: """
            ^able ^able$ ^addresse ^addresses$ ^allo ^audit$ ^cookies$ ^cour ^doit ^doit$ ^downl ^downlo ^download
            ^edit ^folder$ ^fram ^frame ^img$ ^invi ^known ^known$ ^logg ^logged ^logged$ ^minu ^moder ^modera ^mond
            ^nom$ ^password ^passwort ^plai ^plain ^plain$ ^plann ^poss ^posts ^posts$ ^powin ^prof ^profi ^profil
            ^project$ ^pupils ^pupils$ ^redir ^redire ^redirect ^registra ^ricev ^schoo ^school ^school$ ^sess ^sessi
            ^sessio ^sourc ^source ^source$ ^src$ ^teachers ^teachers$ ^ticked ^ticked$ ^viewe ^viewer ^visit$ ^voit
            ^voit$ ^worki ^workin ^working$ ^всем ^всем$ ^отме ^отмен ^ссылк ^ссылка ^ссылка$ able_to andere_sitzun
            are_visibl be_able la_base limit_the log_out logged_in look_at not_see one_can plain_text text_in
            the_audit the_enviro the_projec the_route られ クン トーク ーク ークン 员页 员页面 就能进 時 普 普通
            普通用 無効 理员页 能进 見ら 見られ 通用 通用户 관리 관리자 리자 밀 밀번 밀번호 비밀 비밀번 호
        """,
        10: """
            ^accept$ ^agains ^against$ ^also ^also$ ^checke ^codes ^codes$ ^feat ^featu ^featur ^feature$ ^fold ^foun
            ^found ^found$ ^funciona$ ^gerä ^gerät ^logow ^logowa ^logowani ^look ^mail$ ^medi ^moderato ^moderators$
            ^open$ ^ospi ^ospit ^ospite ^ospite$ ^otwa ^otwar ^outr ^post$ ^salari ^shown ^shown$ ^swit ^switc ^switch
            ^touj ^toujo ^toujou ^toujours ^toujours$ ^uplo ^uploa ^upload ^usuário$ ^viewer$ ^пароль ^пароль$
            all_pages anyone_with from_a into_a let_them prints_the the_server the_whole what_the ссылка_на した しま
            する グイ グイン トー ログイ 不变 行を
        """,
        5: """
            ^access ^aparece$ ^folde ^folder ^frame$ ^link$ ^pass ^report$ ^secu ^secur ^step ^throu ^throug ^through$
            ^zapi ^zapis ^есть ^есть$ ^на$ there_s they_should 出
        """,
    },
    "money": {
        115: """
            ^for$
        """,
        105: """
            ^take
        """,
        100: """
            원
        """,
        95: """
            ^peop ^peopl ^people ^people$
        """,
        90: """
            ^charg ^charge
        """,
        85: """
            ^cust ^custo ^custom ^customer
        """,
        80: """
            ^day$
        """,
        70: """
            ^customers$ ^tota ^total
        """,
        65: """
            ^appli ^compt
        """,
        60: """
            ^appl ^auft ^auftr ^muss ^muss$ ^od$ ^tip$
        """,
        55: """
            ^bill$ ^cent ^dost ^dosta ^market ^price$ ^prov ^si$ ^vouc ^vouch ^vouche ^voucher$ 分 구 은
        """,
        50: """
            ^char ^deve$ ^eur$ ^euro ^faut$ ^kurs ^longer ^longer$ ^stor ^vale for_both the_order 运 으
        """,
        45: """
            ^ab$ ^cent$ ^charge$ ^cobra ^cred ^diffe ^differ ^dla$ ^fee$ ^paid ^paid$ ^split$ ^taken ^taken$ ^teil 费
            运费 으로 적
        """,
        40: """
            ^amou ^amoun ^amount ^appliq ^befo ^befor ^before ^before$ ^book ^con$ ^currentl ^currently$ ^die$ ^finan
            ^financ ^finance$ ^frai ^frais ^frais$ ^kunden$ ^longe ^memb ^membe ^member ^minimu ^minimum$ ^parc ^parce
            ^rechnung$ ^sale ^spli ^split ^standard$ ^wir$ ^дост ^скид ^скидк after_hours is_taken taken_off 다
        """,
        35: """
            ^auftra ^beko ^bekom ^bekomm ^books ^books$ ^card ^card$ ^credi ^credit ^dostaw ^driv ^drive ^driver ^frei
            ^half ^half$ ^klientów ^klientów$ ^livr ^minim ^pay$ ^piec ^piece ^plan$ ^przel ^przeli ^przelicz ^shippi
            ^shipping ^shipping$ ^totali ^être ^être$ ^скидка ^скидка$ a_code aparec_en de_l frais_de il_faut on_the
            only_the vouche_is 款 金 金额 额 바 배 부터 원이 청 청구
        """,
        30: """
            ^actual$ ^annu ^annua ^annual ^annual$ ^asks ^asks$ ^cobr ^cobrar ^credit$ ^delivery ^delivery$ ^desco
            ^descon ^doll ^dolla ^dollar ^dollars$ ^free$ ^fäll ^kids ^kids$ ^kurs$ ^members$ ^next ^next$ ^parcel
            ^pieces ^pieces$ ^port$ ^remi ^seat ^ship ^tera ^teraz ^teraz$ ^units ^units$ ^wird ^wird$ ^кром ^кроме
            ^кроме$ asks_for can_be correc_the from_pieces in_den in_two la_tva next_bill rate_on the_store use_the
            withou_it に統 に統一 セ 会员 会员价 元 原 员价 实 扣 效 满 統 統一 금 료 립 배송 배송비 송 송비
        """,
        25: """
            ^abov ^above ^above$ ^actua ^actual ^amount$ ^antigu ^anua ^anual ^applique ^artí ^artíc ^artícu ^artículo
            ^au$ ^bei$ ^betw ^betwe ^betwee ^between$ ^correct$ ^debi ^der$ ^differen ^dnia ^dnia$ ^driver$ ^euro$
            ^fidé ^fidél ^fidéli ^fidélité ^fidélité$ ^float$ ^free ^full ^full$ ^gift ^gift$ ^klie ^klien ^klient
            ^lief ^liefe ^liefer ^livra ^livrai ^livraiso ^livraison$ ^marke ^marketpl ^marketplace$ ^mind ^month
            ^nett ^netto ^netto$ ^payo ^payou ^payout ^peso ^peso$ ^plan ^primei ^quantity ^quantity$ ^reci ^shop$
            ^signs ^signs$ ^standa ^standard ^sum$ ^tva$ ^vale$ ^vat$ ^vend ^versa ^бону ^бонус ^доста ^достав ^суммы
            ^суммы$ ^чек$ annual_plan answer_in button_is financ_says is_in kurs_euro le_total not_for remise_fidéli
            the_month the_next the_vouche tip_is z_dnia с_суммы ごとに とに 一 统 订 订单 금은 지금 지금은
        """,
        20: """
            ^anyw ^artículo$ ^aussi ^aussi$ ^back$ ^bask ^baske ^basket ^basket$ ^calc ^cart$ ^checkb ^checkbox
            ^checkbox$ ^cliente$ ^cobrar$ ^compr ^compri ^compris$ ^compta ^compte$ ^cost$ ^debit ^debit$ ^den$ ^depo
            ^desconto ^desconto$ ^dia$ ^diese ^differs$ ^drin ^emba ^hat$ ^każd ^late$ ^less ^less$ ^licz ^liczo
            ^liczon ^money ^money$ ^octo ^octob ^octobe ^october$ ^paga$ ^prime ^pro$ ^reloaded ^reloaded$ ^rene
            ^renew ^roun ^round ^says ^says$ ^scon ^scont ^seat$ ^sell ^stał ^stały ^steps ^steps$ ^stripe$ ^taux
            ^taux$ ^tips ^tips$ ^total$ ^valere ^valere$ ^wort ^worth ^worth$ ^yearl ^yearly ^yearly$ ^должны ^должны$
            ask_for au_taux be_change con_el de_livrai deve_valere fee_for from_octobe l_export l_être la_factur
            les_frais middle_of minute_after people_pay se_il the_positi the_provid the_sum total_is when_somebo ャ 今
            今は 允 允许 入 叠加 只允 只允许 可以 应按 每 许 적립 적용 주문 차 포함 하고
        """,
        15: """
            ^affichag ^affichage$ ^assi ^bekommt$ ^bill ^bis$ ^booking$ ^buchh ^buchha ^buchhalt ^buchhaltung$ ^calcu
            ^calcul ^canc ^cance ^cancel ^cancelle ^cancelled$ ^cena ^cena$ ^cente ^cobran ^cobrança ^cobrança$ ^coun
            ^count ^dies ^diff ^dispa ^eine$ ^euros ^euros$ ^g$ ^give$ ^gold$ ^hosted ^hosted$ ^item$ ^jedn ^legal
            ^legal$ ^month$ ^numé ^numér ^pago ^pays ^reach ^rede ^redon ^redond ^redondea ^redondear$ ^roundi
            ^rounding ^rounding$ ^shipp ^slot ^sped ^spedi ^spediz ^spedizio ^spedizione$ ^stripe ^students ^students$
            ^swis ^swiss ^swiss$ ^sólo ^sólo$ ^tien ^totale ^totale$ ^webs ^для$ ^до$ ^сумм a_cent amount_in announ_it
            at_instea by_us der_buchha half_up is_per la_comman la_remise round_the sign_ups sul_totale sum_of sur_le
            swiss_custom the_annual the_limit three_items un_solo 五 五入 同时 四 四舍 四舍五 实际 户可 户可以 用了
            用户可 算 统一 舍 舍五 舍五入 退款 际 다음 도입 무 서 음 터 현
        """,
        10: """
            ^agai ^again ^amounts$ ^announce$ ^below ^below$ ^capture$ ^curr ^curre ^curren ^dois ^dois$ ^drivers$
            ^ente ^enter ^erst ^fina ^floa ^float ^four ^four$ ^frie ^frien ^friend ^had$ ^left ^left$ ^nicht$ ^off$
            ^parti ^partir ^passer ^passer$ ^popr ^port ^provi ^provid ^provider ^provider$ ^raba ^rabat ^rate$ ^runde
            ^seats ^seats$ ^stud ^stude ^studen ^ups$ ^verif ^vist ^vista ^vista$ ^това ^товар driver_are new_sign
            of_each per_seat the_full the_no the_table total_in 折 数を 料 目前 计 용 원에 쿠 쿠폰 폰
        """,
        5: """
            ^ma$ ^ne$ ^pani ^price ^rechn ^sconto ^sconto$ ^used ^used$ イン 价 됩 됩니 됩니다
        """,
    },
    "destructive": {
        155: """
            ^les$
        """,
        150: """
            ^prod
        """,
        145: """
            ^old$
        """,
        125: """
            ^all$
        """,
        105: """
            the_old
        """,
        100: """
            ^produ
        """,
        95: """
            ^ever ^los$ か を
        """,
        90: """
            から
        """,
        85: """
            ^every ^live 要 부
        """,
        80: """
            ^days ^days$ ^regi 会
        """,
        75: """
            ^plus
        """,
        70: """
            ^cost は ま 지
        """,
        65: """
            ^datab ^databa ^database ^everyt ^everythi ^everything$ ^histor ^incl ^plus$ ^produc ら 退
        """,
        60: """
            ^hist ^them$ 以
        """,
        55: """
            ^histo ^inclu ^orig ^origi ^origin ^remo ^stare ^stare$ ^от$ も 일
        """,
        50: """
            ^alle$ ^alte ^costs ^costs$ ^live$ ^m$ ^supp ^vom$ ^и$ 日
        """,
        45: """
            ^anti ^antig ^compte ^dump ^included ^included$ ^playe ^player ^prod$ ^serw ^serwe ^serwer ^vecc ^vecch
            ^vecchi ^year た
        """,
        40: """
            ^alle ^alte$ ^away ^away$ ^been ^hay$ ^includ ^inven ^invent ^kopie ^kopie$ ^lead ^miej ^miejs ^miejsc
            ^newe ^newes ^newest ^newest$ ^nigh ^night ^nobo ^nobod ^nobody ^nobody$ ^original ^players$ ^prova
            ^prova$ ^remove ^remove$ ^sales ^sales$ ^serwerze ^serwerze$ ^than$ ^thro ^снес ^снест ^снести ^снести$
            na_serwer the_new 前
        """,
        35: """
            ^ante ^auch ^auch$ ^autom ^automa ^automati ^automatically$ ^base$ ^been$ ^cancellare$ ^com$ ^dwa$ ^everyb
            ^everybod ^everybody$ ^history$ ^lives ^livesy ^livesyst ^livesystem$ ^main ^main$ ^of$ ^olde ^quel ^quell
            ^rank ^remot ^remote ^remote$ ^remov ^sprz ^task ^throw ^undo ^undo$ ^wszy ^wszys ^wszyst ^zamó ^zamów
            ^zamówi ^вместе ^вместе$ ^нужн il_vecchi is_closed the_import there_are 所有 据 数据 番
        """,
        30: """
            ^anter ^anteri ^anterior ^anterior$ ^archi ^aufträ ^aufträge ^aufträge$ ^avisa ^companie ^companies$ ^depl
            ^deplo ^deploy ^deploy$ ^devices$ ^dire ^eliminare$ ^fili ^filia ^kopi ^lega ^lose$ ^older ^older$ ^otro
            ^overw ^overwr ^overwrit ^play ^producti ^production$ ^raze ^razem ^razem$ ^remain$ ^stag ^stagi ^them
            ^then ^then$ ^todos ^todos$ ^vacia ^vaciar ^vaciar$ ^weg$ ^удал after_days delete_the out_of vaciar_la て
            り ザー ユ ユー ユーザ ーザ ーザー 含 自 退会 년 운 운영 월 전 정리 파
        """,
        25: """
            ^ancien$ ^archive$ ^ausge ^back ^backu ^backup ^base ^bot$ ^comptes$ ^correos$ ^eliminar ^entf ^entfe
            ^entfer ^entferne ^entfernen$ ^eol$ ^espa ^forc ^force ^force$ ^kompl ^komple ^komplett ^komplett$ ^months
            ^months$ ^projects ^projects$ ^raw$ ^real ^repository$ ^samt ^samt$ ^schu ^stato ^stato$ ^subscrib
            ^subscribers$ ^tabell ^task$ ^testo ^than ^uploads$ ^usun ^usuną ^usunąć ^usunąć$ ^years ^years$ ^боев
            ^боево ^боевом ^боевом$ ^все$ ^кто$ ^ссыл ^старых ^старых$ ^тесто ^тестов and_let de_plus for_nothin
            has_to histor_of plus_de replac_all the_attach the_histor the_m the_rest there_and two_years на_боевом ご
            ごと だ を本 を本番 ク スト バ バー ーバ ーバー 不 不要 备 年 所 本 本番 消 난 등 등록 서버 지난
        """,
        20: """
            ^acco ^antigo ^archiv ^backup$ ^belege ^chea ^cheat ^cheate ^clientes ^clientes$ ^close ^commandes$ ^daten
            ^doss ^dossi ^dossie ^dossiers ^dossiers$ ^dupli ^duplic ^duplicat ^ended ^ended$ ^ever$ ^everyo ^everyone
            ^everyone$ ^exception$ ^files ^files$ ^goes ^goes$ ^intere ^jour ^journ ^journa ^keine ^liege ^liegen
            ^liegen$ ^lösc ^lösch ^lösche ^löschen$ ^milli ^nightl ^nightly$ ^ones ^ones$ ^paged ^paged$ ^pasad
            ^pasado ^push ^push$ ^raus ^rid$ ^seas ^seaso ^season ^season$ ^sem$ ^sessions ^sessions$ ^six$ ^squa
            ^stagin ^staging$ ^subs ^throw$ ^todas ^todas$ ^todo ^too$ ^tracki ^tracking ^tracking$ ^vaci ^vecchi$
            ^vecchio$ ^vertr ^vider ^vider$ ^week ^worl ^world ^wszystki ^wszystkie$ ^боль ^больш ^больше ^больше$
            ^вмес ^вмест ^наст ^настр ^настро ^нужна ^нужна$ ^один ^один$ ^само ^удали ^удалит ^удалить$ ^файлам
            ^файлами$ a_time all_of any_more attach_on borrar_los compte_de copy_of costs_us duplic_compan for_days
            get_rid older_than per_person push_with rid_of should_take stare_kopie the_eu todos_los us_a with_force
            больше_не вместе_с から消 よ ら消 ら消す 人 环 环境 고 된 래 래된 블 업 영 오래 오래된 이블 테이 테이블
        """,
        15: """
            ^antigo$ ^attachme ^aus$ ^ausg ^buck ^bucke ^bucket ^bucket$ ^certi ^certif ^certific ^clean ^clos ^clus
            ^clust ^cluste ^cluster$ ^contas ^contas$ ^copia$ ^customer$ ^definiti ^direk ^direkt ^direkt$ ^disk
            ^disk$ ^duplicate$ ^esto ^estoq ^estoqu ^estoque$ ^eu$ ^expire$ ^exports$ ^gb$ ^grows ^grows$ ^houses
            ^houses$ ^inac ^inact ^inacti ^incl$ ^komp ^leur ^mess ^messa ^messag ^night$ ^outa ^outag ^outage
            ^outage$ ^place$ ^quelli ^quelli$ ^regio ^region ^regions$ ^releases ^releases$ ^rema ^repo ^sans ^sans$
            ^servid ^servidor ^servidor$ ^soon ^soon$ ^tables ^tables$ ^tb$ ^tear$ ^testow ^viej ^viejo ^volta$ ^week$
            ^whos ^whose ^whose$ ^world$ ^zera ^zerar ^zerar$ ^базе ^базе$ ^сооб ^сообщ ^сообще ^сообщени ^файл
            a_month and_remove are_delete are_gone as_soon at_a aus_dem become_a del_servid en_base everyb_s
            everyo_who exampl_com for_two includ_their is_gb l_ancien les_ancien list_in month_for o_estoqu old_bucket
            on_prod remove_all run_on soon_as than_a that_were the_base the_box the_dead the_live then_on ticks_the
            user_s we_want with_what zerar_o в_базе くだ くださ さい して ださ ださい の会 の会員 の全 は不 もの アッ
            アップ クア クアッ サー サーバ ザ ジョ ックア バック バーか メ ョ ーか ーから 会員 全 全部 員 登 데이
            데이터 매 매일 벽 새벽 이터 전부 휴
        """,
        10: """
            ^accounts ^accounts$ ^apag ^apaga ^apagar ^apagar$ ^are$ ^beca ^borr ^borra ^busi ^busin ^busine ^business
            ^business$ ^cert ^contacts ^contacts$ ^copia ^dado ^dados ^dados$ ^dead ^direccio ^direcciones$ ^dupl
            ^elim ^elimi ^elimin ^está ^está$ ^expi ^expir ^gone ^gone$ ^includin ^including$ ^jobs ^jobs$ ^kein ^kosz
            ^mais ^mais$ ^nas$ ^nuke ^nuke$ ^offi ^offic ^origin$ ^person$ ^pier ^points ^points$ ^produç ^produção
            ^produção$ ^repo$ ^sani ^sanit ^saniti ^segu ^servi ^subsc ^subscr ^tear ^tenants$ ^track ^tras ^trash
            ^trash$ ^well ^well$ ^вста ^поль ^польз ^пользо ^пользова ^файла a_year as_well bucket_and de_produç gb_a
            import_from lose_their más_de nuke_the people_who remote_branch the_cluste the_consol the_newest
            the_region todos_os un_pedido we_get what_we す め ック ージ 古 古い 境 外 消す 清 登录 量 복 우 중 첨
            첨부 파일
        """,
        5: """
            ^arch ^cancella ^clean$ ^inve ^os$ ^poin ^point ^volt ^witho ^withou ^without$ api_keys becaus_of ア ト
        """,
    },
    "ambiguity": {
        175: """
            ^or$
        """,
        145: """
            ^some
        """,
        120: """
            ^be$
        """,
        115: """
            用
        """,
        100: """
            改
        """,
        95: """
            ^do$
        """,
        80: """
            ^deci ^qual
        """,
        75: """
            정
        """,
        70: """
            ^fast ^más$ ^o$
        """,
        65: """
            ^but$ ^team ^team$ 还
        """,
        60: """
            ^both ^both$ ^może ^może$ ^slow ^soli ^some$
        """,
        55: """
            ^redo ^slow$ ^want 개
        """,
        50: """
            ^cada$ ^chi$ ^decid ^decide ^finde ^mein ^oder ^oder$ ^più$ ^po$ ^por$ ^raport ^tbd$ ^verr ^what
        """,
        45: """
            ^i$ ^nice ^nicer ^nicer$ ^prefer ^rendr ^rendre ^rendre$ ^somet ^texts ^texts$ ^usua rendre_la to_be 是 看
            知
        """,
        40: """
            ^abou ^about ^about$ ^app$ ^avis ^czy$ ^mand ^manda ^manu ^mb$ ^preferen ^principale$ ^sea$ ^sont ^sont$
            ^want$ let_s que_sea the_app 細 를
        """,
        35: """
            ^alto ^chat$ ^correo ^fast$ ^late ^limi ^limit ^make$ ^mal$ ^much ^much$ ^pref ^prefe ^quali ^rapo ^rapor
            ^shop ^ticket$ ^usuarios ^usuarios$ ^whate ^whatev ^whatever ^whatever$ ^или$ ^реши ^решил a_los
            app_should el_panel look_like the_chat 品 认 首 首页 것 의 탈
        """,
        30: """
            ^anmeldun ^anmeldung$ ^atra ^bett ^bette ^better ^better$ ^corre ^coul ^could ^could$ ^expo ^expor ^export
            ^first$ ^fris ^hace ^large$ ^needs ^needs$ ^qué$ ^required ^required$ ^skip$ ^sync ^sync$ ^tues ^tuesd
            ^tuesda ^tuesday$ ^unli ^usta ^ustal ^usuar ^usuari ^втор ^доку ^докум ^докуме ^документ ^увед ^уведо
            ^уведом ^уведомле ^что$ about_it be_writte before_the con_i have_been newest_first ってい 好 论 개편 분 했
        """,
        25: """
            ^accessib ^anno ^autor$ ^bitt ^bitte ^bitte$ ^classe ^coll ^countrie ^countries$ ^decis ^discu ^discus
            ^discusse ^discussed$ ^draf ^draft ^ents ^feel ^gest ^importer$ ^kart ^km$ ^marketin ^marketing$ ^messages
            ^messages$ ^mostrar$ ^neit ^neith ^neithe ^neither$ ^onde ^onde$ ^precisam ^remin ^remind ^reminder ^said
            ^said$ ^skip ^someti ^sometime ^sometimes$ ^think ^think$ ^unlim ^unlimi ^unlimite ^unlimited$ ^writt
            ^writte ^written$ ^остав ^отчё ^отчёт ^решили ^решили$ as_discus be_agreed go_on large_files left_or
            needs_to nobody_has sort_order tem_que the_call the_custom the_user the_wiki whatev_you you_think
            не_решили っ 先 家 未 还是 과 데 미 아직 요 직 체
        """,
        20: """
            ^agre ^agree ^agreed ^agreed$ ^alwa ^alway ^always ^always$ ^anco ^ancor ^ancora ^ancora$ ^ask$ ^autho
            ^author ^autor ^call$ ^chats ^chats$ ^complete$ ^convi ^decided$ ^decidere ^decidere$ ^defi ^defin ^defini
            ^diret ^direto ^drafts ^drafts$ ^editors$ ^filters$ ^frisc ^frisch ^holi ^holid ^holida ^hora ^implement$
            ^impro ^improv ^improve$ ^large ^limit$ ^maga ^magar ^magari ^magari$ ^meinu ^meinun ^meinunge ^meinungen$
            ^news ^non$ ^notifications$ ^pick$ ^proce ^proces ^process$ ^prodo ^prodot ^product$ ^reminder$ ^reply
            ^reply$ ^revo ^senz ^senza ^senza$ ^settings ^settings$ ^sie$ ^someth ^somethin ^something$ ^speci ^sprint
            ^sprint$ ^tem$ ^thin ^tour ^tour$ ^ustale ^ustaleni ^ustalenia$ ^whet ^wheth ^whethe ^whether$ ^work$
            ^zapy ^zapyt ^zapyta ^делат ^делать ^делать$ ^клие ^клиен ^клиент above_the an_export app_is bitte_um
            da_decide do_someth do_ustale do_we go_to it_at keep_or los_usuari on_each people_to should_just
            someth_about the_team to_a um_meinun что_делать せ 产 产品 则 改版 版 规 规则 页改 页改版 首页改 미정
            습니다 신 있 했습 했습니
        """,
        15: """
            ^acceptan ^acceptance$ ^aske ^asked ^asked$ ^assig ^assign ^author$ ^collec ^compla ^complain ^cosa ^cosa$
            ^crit ^dashb ^dashbo ^dashboar ^dashboard$ ^decide$ ^deja ^dent ^dentr ^dentro ^dentro$ ^direcc ^exte
            ^five ^five$ ^folk ^folks ^folks$ ^frid ^frida ^friday ^friday$ ^gard ^garde ^garder ^garder$ ^gesc ^gesch
            ^guess ^hacem ^hacemo ^hacemos$ ^icons ^icons$ ^ils$ ^inco ^inicia ^inicial$ ^karte ^lead$ ^linea ^mandat
            ^mandator ^mandatory$ ^newsl ^newsle ^newslett ^newsletter$ ^onbo ^onboa ^onboar ^onboardi ^onboarding$
            ^pods ^proc ^raz$ ^rive ^rived ^rivede ^rivedere ^rivedere$ ^sett ^setti ^settin ^short$ ^such ^vedi
            ^vedia ^vediam ^vediamo$ ^war$ ^way$ ^what$ ^yes$ ^дава ^меня ^нужно ^нужно$ ^пуст a_tela de_produc
            is_slow on_tuesda qué_hacemo should_look suppor_for sure_what tela_inicia the_plugin they_re togeth_with
            users_want what_do what_people って まだ まっ まって 便 整 日か 決 決ま 決まっ 没定 等 设 还没 还没定 通知
            견 꿔 니다 메 바꿔 알 의견 하지
        """,
        10: """
            ^annoy ^commer ^commerci ^contain$ ^correo$ ^criteria ^criteria$ ^deal ^deal$ ^doc$ ^eith ^eithe ^either
            ^either$ ^exten ^feels ^feels$ ^firs ^first ^hacer ^hacer$ ^importer ^impr ^inic ^inici ^issues ^issues$
            ^likes ^likes$ ^meh$ ^noti ^notif ^pane ^panel ^plea ^pleas ^please ^please$ ^powini ^powinien ^powinien$
            ^rete ^reten ^retent ^retentio ^retention$ ^seiten ^seitenle ^seitenleiste$ ^starts ^were ^were$ ^жалу
            ^клиентам ^со$ a_page accept_criter avec_la but_people by_mail drop_the il_commer it_on ma_być not_be
            please_fix the_switch せん ませ ません ん 別 方案 未定 案 毎日 방 아 편
        """,
        5: """
            ^notifi all_rows と 定 红 调 보
        """,
    },
    "none": {
        -330: """
            ^px$
        """,
        -180: """
            ^no$
        """,
        -175: """
            ^test
        """,
        -170: """
            ^docs
        """,
        -155: """
            ^docs$ ^is$ ^list ^test$
        """,
        -150: """
            ^print
        """,
        -135: """
            ^use$
        """,
        -130: """
            ^clic ^in$ ^miss ^t$
        """,
        -125: """
            ^labe ^label ^wron ^wrong
        """,
        -120: """
            ^add$ ^im$
        """,
        -115: """
            ^label$ ^loca ^local ^py$ ^sele ^selec ^wrong$ 가
        """,
        -110: """
            ^ctrl ^ctrl$ ^guid ^line ^md$ 图
        """,
        -105: """
            ^pdf$ ^prin ^select が な
        """,
        -100: """
            ^compo ^icon ^list$ ^show
        """,
        -95: """
            ^does ^has$ ^its$ ^line$ ^s$ ^scro ^scrol ^scroll ^się$ の 이
        """,
        -90: """
            ^al$ ^butt ^butto ^button ^button$ ^form ^form$ ^icon$ ^ios$ ^ms$ ^pars ^parse ^permis in_the
        """,
        -85: """
            ^click ^grey ^grey$ ^migr ^migra ^missi ^missin ^missing$ ^refu ^w$ ^worke 动 文
        """,
        -80: """
            ^bar$ ^ci$ ^css$ ^dev$ ^digi ^digit ^help ^hint ^igno ^ignor ^ignore ^imag ^image ^logi ^logo$ ^perm
            ^print$ ^przy ^readm ^readme ^readme$ ^spee ^speed ^speed$ ^stay ^tab$ ^tests ^tests$ ^text$
        """,
        -75: """
            ^comp ^d$ ^dans ^dans$ ^del$ ^esli ^eslin ^eslint ^field$ ^guide ^n$ ^na$ ^ok$ ^page$ ^permi ^picke
            ^picker ^picker$ ^prop ^read ^sche ^shows ^shows$ ^trans ^wind ^windo ^window ^спис 标 색
        """,
        -70: """
            ^alre ^alrea ^alread ^already$ ^does$ ^eslint$ ^key$ ^lite ^liter ^log$ ^login ^menu ^menu$ ^react ^react$
            ^refun ^refund ^rende ^render ^row$ ^summ ^temp ^this ^this$ ^ts$ ^unti ^until ^until$ ^worker ^worker$
            the_wrong to_the ル 字 换 画
        """,
        -65: """
            ^box$ ^bump ^editor$ ^el$ ^escape$ ^font ^info ^modo ^modo$ ^nella ^nella$ ^only ^only$ ^prog ^progr ^sur$
            ^tile ^tipp ^tokens ^toolt ^toolti ^tooltip$ ^tran ^vide ^view$ ^when ^when$ ^кноп ^кнопк as_in speed_up
            了 页 글 두 버튼 스 튼
        """,
        -60: """
            ^andro ^androi ^blan ^buil ^colu ^colum ^column ^column$ ^compar ^compon ^componen ^du$ ^enla ^enlace$
            ^fail ^guide$ ^helpe ^helper ^imports$ ^info$ ^insta ^intern ^lint ^literó ^literówk ^literówka$ ^login$
            ^logo ^npm$ ^over ^overl ^overla ^paym ^payme ^paymen ^permissi ^progre ^quiz ^retr ^role ^soun ^sound
            ^sound$ ^stay$ ^svg$ ^tool ^usar ^util ^при$ ^экра ^экран campo_de in_der ッ ド 表 里 임
        """,
        -55: """
            ^andr ^ao$ ^auf$ ^behi ^behin ^behind ^behind$ ^beim ^beim$ ^botã ^botão ^botão$ ^build ^click$ ^como
            ^como$ ^completi ^coup ^erro ^est$ ^fehlt ^fehlt$ ^graf ^hand ^job$ ^ment ^menti ^mentio ^migrat ^mm$
            ^overf ^overfl ^overflow ^overflow$ ^overlap$ ^paste ^paste$ ^reac ^reports$ ^scroll$ ^segn ^segna ^slid
            ^slide ^spin ^spinn ^spinne ^start$ ^stre ^text ^thre ^toke ^token ^unde ^version$ ^zoom ^в$ ^кнопка
            ^кнопка$ the_end the_other け ない れ イ フ 切 印 屏 示 글자 안 자 크
        """,
        -50: """
            ^alig ^align ^anim ^anima ^autoc ^avat ^avata ^avatar ^bann ^banne ^banner ^banner$ ^benc ^bench ^bord
            ^borde ^border ^border$ ^brok ^broke ^bump$ ^chap ^chapt ^chapte ^chapter$ ^class$ ^completion$ ^data$
            ^debu ^debug ^discou ^discount ^displ ^displa ^draw ^enlac ^enlace ^faute ^faute$ ^fix$ ^flak ^flic ^flick
            ^flicke ^font$ ^foot ^foote ^footer ^footer$ ^head ^high ^highl ^highli ^highligh ^hinte ^hinter ^image$
            ^inde ^indi ^jump ^k$ ^la$ ^lista ^lista$ ^locale ^mese ^nie$ ^nur$ ^para ^parser ^parser$ ^past ^pick
            ^prei ^preis ^prev ^segnap ^segnapos ^segnaposto$ ^select$ ^stat ^state$ ^story ^tile$ ^time ^trad
            ^translation$ ^trop ^unuse ^unused ^unused$ ^usar$ ^uses ^uses$ ^va$ ^variab ^variable ^view ^widt ^width
            ^word ^you$ ^опла ^оплат ^перек ^перекр ^перекрыв ^перекрывает$ from_to has_a il_segnap o_campo on_page
            the_label the_last use_a 中 件 色
        """,
        -45: """
            ^alla ^android$ ^arrow ^barr ^benu ^benut ^benutz ^billi ^billin ^billing$ ^blank ^blas ^bug$ ^build$
            ^campo$ ^carr ^cli$ ^comes ^comes$ ^contri ^contribu ^contributing$ ^cove ^cover ^csv$ ^did$ ^discount$
            ^emoj ^emoji ^error ^esca ^escap ^escape ^every$ ^exam ^expl ^fails ^fails$ ^file$ ^fire ^firef ^firefo
            ^firefox$ ^flaky ^flaky$ ^floo ^focu ^focus ^focus$ ^gene ^gener ^grou ^hide ^how$ ^index ^instal
            ^install$ ^kill ^kill$ ^lexe ^lexer ^lexer$ ^linu ^linux ^linux$ ^markd ^markdo ^markdown ^markdown$
            ^names ^nel$ ^nell ^neve ^never ^never$ ^para$ ^payment$ ^png$ ^printe ^progress ^progress$ ^przed ^przed$
            ^reads ^reads$ ^refunds$ ^repla ^same ^same$ ^schem ^schema ^schema$ ^scre ^scree ^screen ^sesi ^sort
            ^spri ^sql$ ^start ^state ^swap ^tax$ ^tela ^terminal ^timer ^tokens$ ^umla ^umlau ^umlaut ^under$ ^unit
            ^vide$ ^whil ^while ^while$ ^width$ ^windows$ ^word$ ^zwei ^оплаты ^оплаты$ ^пада ^падае ^падает ^падает$
            ^подс ^списк ^списо ^список ^список$ ^экрана dans_le for_every like_the not_needed on_a overla_the pour_le
            set_in the_first the_grey the_messag ボ 一覧 一覧の 切换 刷 图标 对 小 期 次 没 画面の 行 覧 覧の 言 面
            面の 题 기화 목록 어 잘 줄 초 초기 초기화
        """,
        -40: """
            ^alla$ ^anze ^anzei ^anzeig ^arou ^aroun ^around ^around$ ^bien ^bitmap ^carri ^carrit ^carrito$ ^carte
            ^compa ^coupo ^coupon ^coupon$ ^cut$ ^debug$ ^descr ^descri ^destr ^destro ^digita ^digitar$ ^digits
            ^digits$ ^doku ^druc ^druck ^edito ^editor ^elem ^eleme ^elemen ^examp ^exampl ^example$ ^extr ^extra
            ^faktury$ ^filtr ^fixed ^fixed$ ^grafi ^grafic ^grafico$ ^gráf ^gráfi ^gráfic ^hard$ ^helper$ ^icôn ^icône
            ^icône$ ^impo ^impor ^import ^internal ^internal$ ^issue$ ^jede ^le$ ^leav ^lett ^lette ^letter ^limp
            ^lint$ ^liste ^local$ ^mention$ ^migratio ^min$ ^moda ^names$ ^nan$ ^overlaps ^overlaps$ ^poza ^poza$
            ^press ^props ^props$ ^przew ^przewi ^przy$ ^przyc ^przyci ^przycisk ^puls ^pulsa ^pulsan ^pulsante
            ^pulsante$ ^pági ^págin ^página ^página$ ^rege ^renderer ^renderer$ ^repe ^rich ^richt ^roles ^roles$
            ^seed ^seed$ ^show$ ^sin$ ^spinner$ ^springt$ ^storyb ^storyboo ^storybook$ ^só$ ^są$ ^tela$ ^templ
            ^templa ^template ^timer$ ^transl ^translat ^under ^unit$ ^unus ^update ^variable$ ^versi ^why$ ^wie$
            ^yml$ ^zasł ^zoom$ ^zsh$ ^é$ ^икон ^подп ^подпи ^подпис ^цвет ^цвета a_set e_e for_each input_should
            invoic_pdf is_too it_is la_liste no_se npm_run page_has takes_second the_two under_the され タ ヘ 上 位 反
            器 小屏 幕 文字 格 画面 置 补 면 목 아이 오타 짐 창 타 화
        """,
        -35: """
            ^abri ^abrir ^accents$ ^animat ^animatio ^animation$ ^arro ^avatar$ ^badg ^badge ^badge$ ^beha ^benchm
            ^benchmar ^blank$ ^brac ^brack ^bracke ^cache$ ^cara ^carac ^caract ^chart ^chiu ^chiud ^chiude ^clip
            ^cmd$ ^colon ^colonn ^colonne$ ^cong ^copy ^crlf ^crlf$ ^describe ^describe$ ^di$ ^disabled ^disabled$
            ^disco ^disp ^display$ ^dist$ ^don$ ^dot$ ^empty ^end$ ^enou ^enoug ^enough ^enough$ ^erreur$ ^error$
            ^errore ^errore$ ^etic ^etich ^etiche ^etichett ^etichetta$ ^falsc ^falsch ^fiel ^field ^file ^fit$ ^fixe
            ^fixt ^fixtu ^fixtur ^gelö ^gelös ^gelösc ^gelöscht ^genera ^grap ^graph ^graphi ^graphiqu ^graphique$
            ^guida ^guida$ ^handled$ ^hangs ^hangs$ ^index$ ^intl ^intl$ ^invo ^isn$ ^just ^just$ ^kb$ ^keyb ^keybo
            ^keyboa ^keyboard ^keyboard$ ^larg ^lege ^long$ ^loop ^makes ^makes$ ^manc ^manca ^manca$ ^map$ ^mark
            ^modal ^modal$ ^modu ^modul ^mostra$ ^nach ^neede ^needed ^needed$ ^noth ^nothi ^nothin ^nothing$ ^open
            ^opens$ ^othe ^other ^overv ^overvi ^overview ^overview$ ^part$ ^permissions$ ^pl$ ^plant ^plik ^position
            ^press$ ^previe ^pt$ ^purge$ ^quiz$ ^rech ^recu ^relat ^relati ^rend ^repl ^replac ^reste ^rewrite$ ^scher
            ^scherm ^schl ^schlü ^schlüs ^schlüsse ^smal ^small ^spac ^space ^spring ^stac ^stack ^stack$ ^stopc
            ^stopce ^stopce$ ^stut ^stutt ^stutte ^stutters ^stutters$ ^summe ^tablet ^tippe ^tradu ^trai ^transi
            ^transiti ^transition$ ^tylk ^tylko ^tylko$ ^typi ^typin ^typing ^typing$ ^typo$ ^vari ^verd ^video ^wydr
            ^wydru ^wydruk ^wydruku$ ^wykr ^wykre ^wykres ^zeig ^zeigt ^zeigt$ ^zeil ^zeile ^zu$ ^à$ ^версия ^версия$
            ^иконк ^иконка ^иконка$ ^ключ ^мерц ^мерца ^назв ^назва ^назван ^не$ ^опеч ^опеча ^опечат ^опечатка
            ^опечатка$ ^подск ^подска ^подсказк ^сохр ^сохра ^сохран ^уход ^экрана$ add_a al_abrir animat_of are_not
            as_nan ci_logs de_compar del_carrit don_t for_the il_pulsan in_with is_cut isn_t it_s its_own le_graphi
            logo_is object_fit on_window progre_bar replac_the reset_zoom so_that sur_la the_coupon the_list the_quiz
            the_sign the_tax w_stopce wait_for る コン プ 列表 右 听 放 监 监听 管理 缩 表示 除 날 날짜 라짐 록 버 사
            사라 사라짐 상이 새로 잘림 짜 콘
        """,
        -30: """
            ^abrir$ ^am$ ^announced$ ^anzeige$ ^aria ^aria$ ^as$ ^atten ^attend ^aufs ^auth$ ^benutzer ^bitm ^bitma
            ^bitmap$ ^broken ^broken$ ^busc ^busca ^cach ^cache ^caracter ^caracteres$ ^carre ^ch$ ^chil ^child ^chro
            ^chrom ^chrome ^chrome$ ^come ^comple ^compos ^côté ^côté$ ^dark ^dark$ ^dela ^delay ^delet ^delete
            ^dependen ^deps ^deps$ ^destroy$ ^disa ^disab ^disabl ^doesn ^drag ^draw$ ^earl ^early ^early$ ^element$
            ^emoji$ ^empty$ ^encrypti ^encryption$ ^f$ ^filtro ^final ^finds ^finds$ ^forg ^formatar ^formatte
            ^formatter$ ^fps$ ^group ^group$ ^gráfico$ ^hang ^hard ^highlight$ ^hilf ^hilfe ^hintergr ^hook$ ^hove
            ^hover ^hover$ ^ignores$ ^indic ^init ^ipho ^iphon ^iphone ^iphone$ ^já$ ^lade ^leave ^letters$ ^ligh
            ^light ^lines ^lines$ ^looks ^looks$ ^loop$ ^machines ^machines$ ^manq ^manqu ^manqua ^manquant ^marker
            ^marker$ ^message$ ^migraz ^migrazio ^migrazione$ ^minia ^miniat ^miniatur ^monta ^moun ^mount ^nomb
            ^nombr ^nombre ^notification$ ^offer ^onli ^onlin ^online ^online$ ^other$ ^ouve ^ouver ^ouvert ^page
            ^parp ^parpa ^parpad ^parpadea ^parpadea$ ^path ^path$ ^permission$ ^phones ^phones$ ^picture$ ^places
            ^places$ ^posit ^positi ^position$ ^precios$ ^previ ^preview$ ^pric ^prices ^prices$ ^printed$ ^produkt$
            ^prop$ ^recht ^refund$ ^regex ^regex$ ^rela ^relo ^repor ^report ^resolve$ ^resta ^reste$ ^richti ^rtl$
            ^rule ^safa ^safar ^safari ^safari$ ^schermat ^schermata$ ^schr ^screensh ^seconds$ ^seit ^seite$ ^set$
            ^shad ^shado ^shadow ^side ^starts$ ^stic ^stick ^sticky ^sticky$ ^stren ^streng ^strength ^strength$
            ^styl ^style ^summa ^summar ^summary$ ^symb ^symbo ^symbol ^ten$ ^tippf ^tippfe ^tippfehl ^tippfehler$
            ^tokeni ^tokenize ^tolt ^tolto ^tolto$ ^traili ^trailing ^trailing$ ^trop$ ^typo ^umlauts$ ^util$ ^versio
            ^vien ^viene ^viene$ ^volume ^volume$ ^vors ^vorsc ^vorsch ^votr ^votre ^votre$ ^whit ^white ^white$ ^widg
            ^widge ^widget ^widget$ ^window$ ^work ^wywa ^wywal ^верс ^верси ^видн ^данн ^данны ^данные ^данные$
            ^ключ$ ^списке ^списке$ benchm_for bump_eslint column_header côté_client das_event de_caract de_precio
            est_vide forget_the in_every in_this is_empty is_enough it_was json_schema manca_il modal_de move_the
            no_change no_gráfic number_for off_in off_on on_ci one_has page_de para_el parpad_al passwo_streng s_only
            scroll_positi send_the shows_the sql_commen tax_report the_date the_delete the_dialog the_footer the_login
            the_parser the_sessio the_sideba trace_when unit_tests until_reload upgrad_to url_and warnin_for which_is
            works_with z_index в_списке です と右 なる ると ると右 アイ アイコ イコ イコン ォ カー ビ ビュ ビュー フォ
            ュ ュー ラ ロー ン ール 两 两次 价格 例 再 写 列 别 加载 向 图表 在小 在小屏 手順 按钮 换成 标签 测 测试
            第 签 试 载 辑 钮 错 검 검색 그 까 됨 때 리 보임 아이콘 이콘 인
        """,
        -25: """
            ^abge ^abges ^abgesc ^abgeschn ^abgeschnitten$ ^accen ^accent ^admin$ ^align$ ^alloc ^alloca ^alph ^alpha
            ^alphab ^alphabét ^alphabétique$ ^alth ^altho ^althou ^although ^although$ ^arch$ ^arrows ^arrows$ ^atte
            ^attendu$ ^behav ^behavi ^behaviou ^behaviour$ ^bench$ ^botó ^botón ^botón$ ^bouto ^bouton ^bouton$ ^br$
            ^branch$ ^cale ^calen ^calend ^carrel ^carrello ^carrello$ ^cartel ^cartella ^cartella$ ^cat$ ^cell
            ^changes$ ^chart$ ^chok ^choke ^chokes ^chokes$ ^chor ^class ^clear ^code$ ^colo ^colour$ ^component$
            ^conso ^consol ^console$ ^contraseñas$ ^correctl ^correctly$ ^de$ ^dele ^dell ^dependency$ ^doesn$ ^dopo
            ^dopo$ ^drag$ ^débo ^débor ^débord ^déborde$ ^eins ^em$ ^empt ^erste ^esem ^esemp ^esempi ^esempio$ ^even
            ^excl ^exclu ^exists ^exists$ ^expected ^expected$ ^expla ^explai ^faile ^failed ^failed$ ^fall ^fehl
            ^filtros$ ^flex ^flex$ ^flicker$ ^flickers ^flickers$ ^fora ^forgets$ ^forgot$ ^forma ^funct ^functi
            ^function ^fuss ^germ ^germa ^german ^german$ ^gira ^girar ^girar$ ^gives ^gives$ ^hide$ ^hilfe$ ^hour$
            ^if$ ^ignore$ ^ignored$ ^invec ^invece ^invece$ ^issu ^issue ^jump$ ^jumps ^jumps$ ^komu ^lapt ^lapto
            ^laptop ^laptop$ ^largo ^leak$ ^legen ^legend ^legend$ ^lign ^ligne ^ligne$ ^load ^locale$ ^lowe ^lower
            ^lower$ ^mapp ^max$ ^memo ^mens ^mensa ^mentions ^mentions$ ^minus ^minus$ ^mock ^mock$ ^movi ^musi ^music
            ^music$ ^nubm ^nubme ^nubmer ^nubmer$ ^openi ^openin ^opening$ ^ordr ^ordre ^ordre$ ^outp ^outpu ^output
            ^output$ ^outro ^outros ^outros$ ^pack ^packa ^packag ^pant ^panta ^pantal ^pantalla ^pantalla$ ^parag
            ^paragr ^paragrap ^pass$ ^permissõ ^permissões$ ^phot ^photo ^pict ^pictu ^pictur ^pixe ^pixel ^pixel$
            ^planta ^plantage ^plantage$ ^pour ^pour$ ^pozi ^pozio ^poziom ^przez ^przez$ ^quand ^rand ^ready ^ready$
            ^rechnungsvorschau$ ^red$ ^refe ^refer ^refere ^referenc ^reference$ ^refuso ^refuso$ ^remains$ ^repea
            ^repeat ^reset$ ^reso ^retri ^retrie ^retry ^retry$ ^richtig$ ^rules ^rules$ ^run$ ^résu ^résul ^résult
            ^résultat ^résultat$ ^seite ^selected ^selected$ ^sesio ^sesion ^shadow$ ^shor ^short ^shorte ^slider
            ^slides ^slides$ ^snap ^sorte ^sorted ^sorted$ ^sortieru ^sortierung$ ^statu ^status ^status$ ^stri ^surf
            ^surfa ^surfac ^surface$ ^swapp ^swappe ^swapped$ ^switchin ^switching$ ^tablet$ ^telefoni ^telefonie$
            ^theme ^theme$ ^though$ ^thread$ ^tick$ ^times$ ^tito ^titol ^titolo ^titolo$ ^top$ ^touc ^touch ^trail
            ^tuto ^tutor ^tutori ^tutorial ^tutorial$ ^ui$ ^upda ^updat ^update$ ^updated$ ^userse ^userserv
            ^userservice$ ^varia ^visib ^vorschau ^vorschau$ ^vue$ ^wait ^weil ^weil$ ^whic ^which ^which$ ^zeile$
            ^zweim ^zweima ^zweimal$ ^доба ^добав ^добави ^добавить ^добавить$ ^из$ ^измен ^кажд ^кажды ^название
            ^название$ ^оста ^отст ^отсту ^отступ ^отступ$ ^рабо ^работ ^работа ^работает ^работает$ ^роле ^ролей
            ^ролей$ ^сорт ^сорти ^сортир ^сортиров ^тест$ a_change a_pictur a_second after_charac after_switch
            after_the and_show are_in are_swappe at_and behind_the button_stays can_t chokes_on column_in con_nombre
            cut_off del_campo delete_accoun descri_the does_the doesn_t débord_sur el_botón empty_state fehlt_auf
            hard_to how_to i_d icône_de im_editor in_rtl in_three invece_di is_alread is_called login_form make_the
            map_flicke my_laptop na_telefo nel_titolo nella_guida no_behavi nothin_to on_every openin_a ordre_alphab
            os_outros per_la pl_json przewi_w refuso_nel seed_local should_change should_have should_say show_a
            since_we się_na sortie_nach stack_trace stay_as sur_mobile tabla_de tela_de tests_for the_langua
            the_manual the_passwo the_refund the_select times_out to_print to_util twice_by unused_import va_a
            vat_nubmer with_k wrong_class не_работа отступ_px い が二 さ される つ になる のア のアイ の文 み ジの
            タン ダ ボタ ボタン ルの ロール ー ード 位置 元测 元测试 切れ 削 单元 单元测 定画 定画面 常 序 成 手 按
            支付 文档 景 書 期待 权 权限 档 模 求書 滚 的 缩放 背 背景 設定 設定画 請求書 逻 逻辑 関 関数 问 问题
            글자가 드 딩 라 력 로딩 롤 리에 빼 삭 성 스크 스크롤 역 오 입력 자가 줄이 컬 크롤 포 표
        """,
        -20: """
            ^acei ^aceit ^aceita ^aceita$ ^acti ^actio ^action ^admi ^admin ^aggi ^aligné ^ambi ^ambie ^ambien
            ^ambiente ^ambiente$ ^ancho ^aprè ^après ^après$ ^aren ^arrow$ ^asyn ^async ^async$ ^auto ^bold ^brackets
            ^brackets$ ^broke$ ^bumps ^bumps$ ^cad$ ^calcul$ ^camb ^cambi ^canv ^canva ^canvas ^canvas$ ^cart ^center
            ^clam ^clamp ^clic$ ^clicks ^clicks$ ^co$ ^comman ^commande$ ^compl ^componente$ ^confirmation$ ^conte
            ^country$ ^dall ^dalla ^dalla$ ^datum$ ^debe$ ^debo ^debou ^deboun ^debounce ^debounce$ ^decimal$ ^dedu
            ^dedup ^deleted$ ^delle ^delle$ ^dem$ ^dest ^details$ ^diagr ^diagra ^direct ^doku$ ^dokum ^dokume ^domin
            ^dos$ ^drawn ^drawn$ ^droi ^each ^each$ ^eart ^earth ^earth$ ^elli ^ellip ^ellips ^ellipsis ^ellipsis$
            ^ende$ ^equa ^equal ^equal$ ^er$ ^ergä ^ergän ^ergänz ^erre ^erreu ^erreur ^espe ^esper ^espera ^esperado
            ^esperado$ ^evento ^evento$ ^except$ ^expe ^expec ^expect ^explain$ ^extrac ^extract$ ^fals ^falsch$ ^favo
            ^fica ^fichier$ ^fixture$ ^flag$ ^flat ^foco ^foco$ ^forge ^forget ^foru ^forum ^forum$ ^frap ^frapp
            ^frappe ^frappe$ ^fs$ ^galle ^galler ^gallery$ ^gena ^genau ^generate ^generated$ ^gmai ^gmail ^gmail$
            ^grep ^grep$ ^hand$ ^help$ ^hi$ ^hides ^hides$ ^hints ^hints$ ^hook ^iden ^ident ^identi ^identica
            ^identical$ ^imported ^imported$ ^init$ ^inpu ^input ^interm ^invoi ^invoic ^invol ^involv ^involved
            ^involved$ ^ipad ^ipad$ ^itse ^itsel ^itself ^itself$ ^json ^json$ ^kg$ ^klic ^klick ^klick$ ^kluc ^klucz
            ^klucz$ ^kole ^kolej ^kolejn ^kolejnoś ^kolejność$ ^last$ ^lazi ^lazil ^lazily ^lazily$ ^leak ^leave$
            ^leere ^lieu ^lieu$ ^like$ ^links ^links$ ^linte ^listen ^load$ ^logowania$ ^loses ^loses$ ^lost ^lost$
            ^machi ^machin ^merk ^merke ^merken ^merken$ ^mete ^meter ^meter$ ^migration$ ^migrations$ ^misse ^misses
            ^misses$ ^module ^module$ ^monitor$ ^montan ^montant$ ^mostr ^mostra ^nichts ^nichts$ ^nombre$ ^numer$
            ^odpo ^odpow ^odpowi ^odpowied ^odpowiedzi$ ^offe ^offl ^offli ^offlin ^offline$ ^options$ ^package$ ^padd
            ^paddi ^paddin ^padding$ ^pagam ^paragraphs$ ^parents$ ^partic ^passo ^passos ^passos$ ^perd$ ^pip$ ^pipe
            ^plik$ ^poka ^pokaz ^pokazu ^pokazuje ^pokazuje$ ^poli ^pre$ ^prel ^prelo ^preloa ^preload$ ^prun ^prune
            ^prune$ ^purg ^purge ^quand$ ^quiet ^quiet$ ^rechnungsliste$ ^reco ^redim ^redime ^redimens ^relative
            ^relative$ ^reload$ ^replace$ ^rese ^reset ^resol ^restar ^resto ^retin ^retina ^retina$ ^rewr ^rewri
            ^rewrit ^rien ^rien$ ^roda ^role$ ^ru$ ^runn ^say$ ^schm ^schma ^schmal ^screenshot$ ^secr ^secre ^secret
            ^sect ^secti ^sectio ^section$ ^sees ^sees$ ^selector ^selector$ ^shortcut$ ^sideb ^sideba ^sidebar$ ^sinc
            ^since ^since$ ^slider$ ^small$ ^sortie ^space$ ^spam ^spam$ ^spel ^spell ^spen ^star ^stays ^stays$
            ^story$ ^strip ^stuc ^stuck ^stuck$ ^subi ^svgs ^svgs$ ^swap$ ^tabs ^tag$ ^tej$ ^tema ^temp$ ^template$
            ^templates$ ^terminal$ ^the$ ^thou ^threa ^thread ^tippen ^tippen$ ^title$ ^toca ^tokenizer$ ^touche
            ^traini ^training ^tree ^tree$ ^tropp ^troppo ^troppo$ ^try$ ^tty$ ^twic ^twice ^twice$ ^typee ^typeer
            ^typeerro ^typeerror$ ^tłum ^tłuma ^tłumac ^tłumacze ^undef ^undefi ^undefine ^undefined$ ^unrea ^unte
            ^upload$ ^utente ^utente$ ^utils ^utils$ ^vent ^verti ^video$ ^videos ^videos$ ^visibl ^visible$ ^voic
            ^voice ^voiceo ^voiceove ^voiceover$ ^volu ^volum ^wait$ ^watc ^watch ^webhook$ ^wenn ^wenn$ ^went ^went$
            ^wykres$ ^zebr ^zebra ^zebra$ ^è$ ^вместо ^вместо$ ^всег ^всегд ^всегда ^всегда$ ^должно ^должно$ ^изме
            ^испо ^испол ^исполь ^ниче ^ничег ^ничего ^ничего$ ^ночь ^ночью ^ночью$ ^окна ^окна$ ^пере ^спра ^справ
            ^шири ^ширин a_bug a_file a_tty a_y aligné_avec am_ende an_emoji and_drop and_get and_test and_use
            are_missin are_the arrows_in au_lieu bar_in be_the behavi_change beim_tippen beim_öffnen both_are
            build_script but_the by_hand calcul_de comput_from csv_export de_factur drop_shadow earth_does error_for
            exampl_for export_is file_is from_both front_of goes_from hide_it if_it in_front in_german in_safari
            in_tests is_missin is_right just_the l_icône la_pantal la_tabla le_calcul le_messag lieu_de link_to
            list_should liste_des literó_w make_clean messag_when migrat_guide migrat_md missin_for must_stay na_tela
            names_push of_as of_the on_earth output_of overla_in page_and pas_aligné passwo_field pay_button
            picker_are push_the s_no s_of search_box select_relate should_read show_three shows_one sign_in size_of
            stays_visibl still_says stop_at string_are text_of the_admin the_image the_index the_mail the_model
            the_number the_player the_pr the_run the_same the_tab the_timezo the_top the_total the_upgrad them_in
            to_do toolti_for und_die uses_the va_tolto wants_to webhoo_to what_it when_it when_there where_the why_on
            à_l должно_быть かな かない がぼ がぼや が逆 が逆向 き く ける されな にな のロ のロゴ ぼ ぼや ぼやけ やけ
            やける れてい れな れない れる イン画 ォン ォント カード ガ コ コンを ゴ ゴが ゴがぼ タンの ッジ トが
            バッジ フォン ューア ロゴ ロゴが ロッ ンの ン画 ン画面 ーア 下 中文 事 二 价格标 住 体 写错 削除 发 向き
            图标和 在 底部 度 待 截 数本 标和 标题 格标 格标签 没问 没问题 目录 直り 直りま 第一 管 给 被 超 过 过期
            逆 逆向 逆向き 里的 面のロ 順 결 결제 뉴 도록 로그 림 메뉴 문서 문서에 사용하 삭제 서에 선 선택 용하 응
            이면 이콘이 있어 콘이 택 트 폭 하면 한
        """,
        -15: """
            ^abie ^abier ^abiert ^abierta$ ^action$ ^ajou ^ajout ^ajoute ^ajouter$ ^alfa ^anch ^anchor ^animac
            ^animació ^animación$ ^appea ^appear ^archived ^archived$ ^asse ^asset ^attached ^attached$ ^attr ^attri
            ^attrib ^attribut ^atual ^ausga ^ausgab ^ausgabe$ ^barra ^barra$ ^bars ^bars$ ^benchmark$ ^benutzen
            ^benutzen$ ^bild ^blocks ^blocks$ ^brak ^brak$ ^bran ^branc ^branch ^breaks ^breaks$ ^bric ^brich ^bricht
            ^bricht$ ^c$ ^cabe ^cade ^calculat ^calculation$ ^called ^called$ ^calls ^calls$ ^cambia ^campo ^cancelar
            ^cancelar$ ^case ^cdn$ ^ce$ ^celu ^celul ^celula ^celular$ ^chan ^chang ^change ^change$ ^checko ^checkout
            ^checkout$ ^choo ^choos ^chore ^chore$ ^clas ^clear$ ^colou ^colour ^comma ^compares ^compares$ ^composan
            ^composant$ ^compose$ ^compu ^comput ^confirma ^connex ^connexio ^connexion$ ^contrase ^converte
            ^converter$ ^copy$ ^cover$ ^cpf$ ^create$ ^dash$ ^debe ^delete$ ^demo ^demo$ ^deprecationwarning$ ^desal
            ^desali ^desalinh ^desalinhado$ ^desi ^desig ^design ^desp ^despl ^detr ^detrá ^detrás ^detrás$ ^dial
            ^dialo ^dialog ^dialog$ ^dice ^dice$ ^dist ^dock ^docke ^docker ^docker$ ^docst ^docstr ^docstrin
            ^docstring$ ^documentar$ ^doppe ^doppel ^doppelt$ ^down$ ^droit ^droits ^droits$ ^emojis ^emojis$ ^erra
            ^errad ^errada ^errada$ ^es$ ^even$ ^falt ^falta ^fica$ ^fichi ^fichie ^flag ^flat$ ^folders$ ^format
            ^generato ^generator$ ^give ^golde ^golden ^golden$ ^got$ ^grafa ^grafan ^grafana$ ^grid ^grid$ ^handl
            ^handle ^happ ^headi ^headin ^headings ^headings$ ^heig ^heigh ^height ^height$ ^helpers$ ^hola ^hola$
            ^hourl ^hourly ^hourly$ ^house$ ^icono ^icono$ ^icu$ ^inset ^inset$ ^insid ^inside ^inside$ ^intermit
            ^intermitente$ ^inva ^inval ^invali ^iterate$ ^jan$ ^jedem ^jedem$ ^js$ ^kass ^kasse ^kassen ^keeps
            ^keeps$ ^klei ^klein ^layo ^layou ^layout ^layout$ ^leavi ^leavin ^leaving$ ^leere$ ^liegt ^liegt$ ^light$
            ^lighth ^lighthou ^lighthouse$ ^link ^locales$ ^locall ^locally$ ^lune ^líne ^línea ^mach ^made ^made$
            ^marc ^march ^memor ^memory ^memory$ ^model ^moved ^moved$ ^même ^même$ ^móvi ^móvil ^móvil$ ^ness ^nessu
            ^nessun ^netw ^netwo ^networ ^network$ ^neu$ ^nich ^nicht ^norm ^norma ^normal ^oben ^oben$ ^opti ^optio
            ^option ^orm$ ^oscu ^oscur ^oscuro ^oscuro$ ^pagame ^pagament ^pagamento$ ^panier$ ^pape ^papel ^papele
            ^papelera ^papelera$ ^parse$ ^passar ^photo$ ^plur ^plura ^plural ^plural$ ^porq ^porqu ^porque ^porque$
            ^potr ^potrz ^potrze ^potrzebn ^potrzebne$ ^pr$ ^precisa$ ^printer$ ^priv ^priva ^privat ^prze ^przewija
            ^qued ^queda ^queda$ ^queu ^queue ^queue$ ^quot ^quote ^r$ ^rais ^raise ^raise$ ^rando ^random ^random$
            ^reas ^reaso ^reason ^reason$ ^rechte ^reduce$ ^refus ^refuses$ ^relate ^related$ ^reloa ^reload ^reloj
            ^reloj$ ^remp ^rempl ^render$ ^repeat$ ^repro ^reprod ^reproduc ^resi ^resiz ^resize ^resolv ^rest ^restor
            ^rola ^roll ^rolle ^rows ^rows$ ^runne ^runner ^runner$ ^runs ^runs$ ^ruol ^ruolo ^ruolo$ ^rôle ^rôles
            ^rôles$ ^sbag ^sbagl ^sbagli ^sbagliat ^screen$ ^script$ ^scrollin ^scrolling$ ^seco ^secon ^second
            ^secret$ ^selb ^selectio ^selection$ ^senh ^senha ^senha$ ^sensi ^separato ^separator$ ^servic ^setu
            ^setup ^setup$ ^shortc ^shortcut ^should$ ^sich$ ^skle ^sklep ^sklep$ ^someo ^someon ^someone$ ^sorti
            ^spaces ^spaces$ ^spec$ ^spelling$ ^sprin ^stehe ^stehen ^stehen$ ^strin ^string ^string$ ^strip$ ^stro
            ^stron ^strong ^strong$ ^su$ ^subir ^subir$ ^subj ^subje ^subjec ^subscrip ^subscription$ ^sugg ^sugge
            ^sugges ^sulla ^sulla$ ^sí$ ^tabs$ ^tabu ^tabul ^tabula ^teks ^tekst ^tema$ ^teste ^teste$ ^three ^three$
            ^tiles ^tiles$ ^trac ^trace ^trace$ ^training$ ^translated$ ^tri$ ^trun ^trunc ^trunca ^truncate ^tsx$
            ^two$ ^type ^type$ ^unread ^upgr ^upgra ^upgrad ^valu ^value ^vazi ^vazia ^vazia$ ^veze ^vezes ^vezes$
            ^wante ^wanted ^wanted$ ^watch$ ^weit ^weite ^weiter ^wert$ ^worked ^worked$ ^works$ ^wrap ^wrapp ^wrappe
            ^x$ ^yet$ ^your ^zoomi ^zoomin ^zooming$ ^édit ^édite ^éditeu ^éditeur$ ^étap ^étape ^étapes ^étapes$
            ^ícon ^ícone ^ícone$ ^über ^если ^если$ ^коло ^колон ^комп ^меню ^меню$ ^обно ^обнов ^открыв ^открывае
            ^открывается$ ^перев ^перево ^сдви ^табл ^табли ^таблиц ^экране ^экране$ a_dash a_note add_dark after_an
            align_items an_hour and_i and_paste are_cut arrow_keys as_they at_once author_field bei_jedem by_one
            campo_cpf change_in chore_deps con_la copy_and copy_it crash_when create_a d_like dark_mode de_px deps_dev
            desali_no detrás_del dev_bump do_campo el_icono el_modo en_el en_json en_móvil end_of end_to errada_no
            every_s exists_in fails_on finds_nothin fixed_props for_attach fr_json from_the git_ignore gives_column
            guarda_en handle_is has_no header_of help_text histor_table how_many icono_de import_in in_assets in_docs
            in_gmail in_wrong includ_the index_page into_its iphone_se is_listed is_opened it_alread it_so it_with
            iterat_over keyboa_shortc kill_the l_éditeu la_animac la_cartel la_colonn la_recher last_row le_compos
            le_focus left_of lexer_token links_to lista_vazia loses_its map_in min_width missin_in modo_oscuro
            moved_to moves_the nach_oben name_in next_to non_si notas_de nur_anzeig nur_das off_by off_screen
            on_mobile on_small once_and orders_page overfl_x plural_in positi_sticky pt_br put_the query_log
            remove_unused roundi_helper schema_docs scroll_to sessio_timer show_the sign_up starts_at t_be tag_icon
            test_end test_interm tests_für the_action the_addres the_banner the_button the_cache the_cdn the_chart
            the_ci the_comman the_compon the_debug the_format the_logo the_orders the_pdf the_price the_print
            the_produc the_reques the_roundi the_thread throug_the tmp_path to_end token_positi unread_badge until_the
            user_name values_stay we_create what_i white_for with_two withou_a x_auto à_la ничего_не опечат_в いる
            が古 が古い しい ず ち ている ので のフ のフォ れて イド インガ ガイ ガイド クロ クロー コンが ザイ ザイン
            スクロ ソ デ デザ デザイ リ ンガ ンガイ 一样 一行 付 像 写错了 删除 功 化 卡 即 即可 只 只有 器里 左 应 底
            张 成功 数が 文档里 書一 書一覧 有 望 果 样 档里 正 步 求書一 没有 的那 示さ 示され 端 結 結果 表示さ 設
            身 辑不 边 込 逻辑不 那 错了 降 깨 나옵 나옵니 내역 되 들 디 발 번 상태 새 색상 수정 실 실패 옵 옵니
            옵니다 우편 우편번 인트 입 재 첫 태 패 편번 편번호 포인 포인트 폭을 하 확 확인 환
        """,
        -10: """
            ^accepts$ ^access$ ^account$ ^active ^active$ ^adju ^after$ ^angl ^angla ^anglai ^anglais$ ^anot ^anoth
            ^anothe ^another$ ^appa ^archivos ^archivos$ ^atuali ^atualiza ^atualizar$ ^auth ^book$ ^botto ^bottom
            ^bottom$ ^bout ^boxe ^boxes ^boxes$ ^builds ^builds$ ^calendar ^cambia$ ^camp ^cas$ ^case$ ^chf$ ^choose
            ^clea ^client$ ^come$ ^command$ ^commi ^commit ^company$ ^computed ^computed$ ^confir ^conten ^coupé
            ^coupé$ ^currency ^currency$ ^das$ ^data ^datu ^datum ^deber ^deberí ^desa ^design$ ^dige ^diges ^digest
            ^digest$ ^direc ^domi ^dzie ^en$ ^esc$ ^event ^exist$ ^exit$ ^fatu ^fatur ^fatura ^fecha ^fecha$ ^fila
            ^fila$ ^fine ^fine$ ^fixtures ^fixtures$ ^forgo ^forgot ^gall ^git$ ^heade ^header ^header$ ^hori ^horiz
            ^horizo ^horizont ^ingl ^inglê ^inglês ^inglês$ ^input$ ^insi ^inst ^instan ^instance ^instance$ ^invalid$
            ^invoice$ ^invoices ^invoices$ ^jest ^jest$ ^join$ ^keys ^laten ^latenc ^latency$ ^leer ^letz ^letzt
            ^letzte ^liefersc ^lieferschein$ ^like ^limpi ^limpia ^limpiar$ ^liste$ ^lleg ^llega ^loads ^loads$ ^low$
            ^man$ ^matc ^match ^mensag ^mensagem ^mensagem$ ^migrate$ ^model$ ^mone ^monthl ^monthly$ ^most ^nega
            ^negat ^negati ^nest ^note$ ^notice$ ^objects$ ^opens ^osta ^ostat ^ostatn ^p$ ^passa ^passe ^plat ^posi
            ^precio ^prem ^premi ^prezzo ^prezzo$ ^prob ^profile$ ^promp ^prompt ^prompt$ ^pust ^reche ^recher
            ^recherch ^recherche$ ^recie ^reciev ^recon ^recor ^regen ^regene ^regenera ^regenerate$ ^removed$ ^repli
            ^reque ^reques ^resize$ ^resu ^resul ^result ^results$ ^reti ^reus ^reuse ^reuse$ ^righ ^right ^right$
            ^rota ^rotat ^salv ^salva ^scan$ ^scur ^scuro ^scuro$ ^sent ^sente ^senten ^sentence ^shif ^shift ^shift$
            ^sich ^sides ^sides$ ^size ^sola ^spec ^stars ^starsz ^stati ^style$ ^subject$ ^subm ^submi ^submit
            ^tabela$ ^tele ^telef ^telefo ^texte ^texte$ ^thoug ^though ^times ^timez ^timezo ^timezone ^timezone$
            ^tmp$ ^tok$ ^train ^truck$ ^truncate$ ^um$ ^unkn ^unkno ^unknow ^unknown$ ^unread$ ^unter ^upgrade$
            ^values ^values$ ^variables$ ^variant$ ^verg ^verge ^verges ^vergesse ^vergessen$ ^vez$ ^webh ^webho
            ^webhoo ^wert ^wide ^wide$ ^woul ^would ^would$ ^z$ ^za$ ^älte ^älter ^écra ^écran ^écran$ ^öffn ^öffne
            ^öffnen ^öffnen$ ^быть ^быть$ ^всё$ ^же$ ^нет$ ^сумма ^сумма$ a_fresh after_a auf_dem both_sides by_the
            dans_fr dans_la delete_button do_mês docker_compos docs_build docs_genera docs_how du_panier em_inglês
            en_anglai est_coupé est_pas exampl_in filter_bar forgot_passwo icon_is id_in in_test invoic_is is_comput
            is_ignore is_not it_to key_repeat la_papele le_bouton lista_de log_the login_page mail_is member_list
            missin_on move_it n_est names_in nel_tema no_cambia of_it passwo_verges price_tag prima_del put_it px_wide
            role_column s_a screen_in screen_shows second_line sessio_list since_the spring_beim t_sorted table_of
            tema_scuro text_isn the_backen the_cookie the_curren the_docs the_invoic the_member the_permis the_plural
            the_screen the_search the_text the_tokeni the_unit the_zone there_is too_low up_the used_by vez_de
            we_alread white_space ya_no écran_de が効 の文字 や ァ ス ファ モ リン リンク ロ ンを ンク ント ージの 优
            优惠 优惠券 到 到底 参 参数 和 固 固定 式 惠 惠券 打 数 文言 理 画像 目 进 重な 그인 나 니 러 로그인 만
            스트 습 습니 앱 제 출 테 테스 테스트 호출
        """,
        -5: """
            ^adre ^adres ^adress ^affic ^affich ^afte ^after ^annou ^announ ^announce ^atta ^attac ^attach ^auto$
            ^bleibt ^bleibt$ ^conti ^contin ^dead$ ^disc ^dopp ^doub ^doubl ^double ^eine ^else ^else$ ^fakt ^faktu
            ^faktur ^fech ^instab ^instabil ^instabile$ ^labels ^labels$ ^last ^leaves ^leaves$ ^logs ^logs$ ^merge$
            ^mont ^notifica ^não$ ^panie ^panier ^pare ^paren ^parent ^pas$ ^prec ^pret ^prett ^prints ^prints$
            ^private$ ^punt ^rath ^rathe ^rather ^rather$ ^rechnu ^rechnung ^request$ ^schre ^schrei ^secrets$
            ^session$ ^shou ^shoul ^should ^soll$ ^sort$ ^stop ^table ^termi ^termin ^visi ^warning$ ^по$ ^скри
            of_them rename_the should_be the_paymen we_have 券 后 大 录 請 請求 문 수 시 에서
        """,
        0: """
            ^comm ^se$ ^so$ 时
        """,
    },
}
