"""Parts of words that go with a person's decision, by category, and those that go with plain work. By a program.

Logistic regression with L2 over the labelled tickets, by tests/data/tickets/fit.py; the names are those of
`features.parts_of`, the numbers hundredths of a weight, the category the one whose tickets have the part most often
(any: all of them alike; none: plain work).
Parts of weight 0 count for the length of a text only. Not to be edited by hand: run the fit again.
"""

from __future__ import annotations

WORDS: dict[str, dict[int, str]] = {
    "schema": {
        115: """
            ^per$
        """,
        105: """
            ^id$
        """,
        90: """
            ^store ^стар
        """,
        75: """
            ^arti ^store$
        """,
        70: """
            ^cada ^ein$
        """,
        65: """
            ^null ^writ
        """,
        60: """
            ^database$ ^сейч ^сейча ^сейчас ^сейчас$ of_a
        """,
        55: """
            ^best ^conv ^db$ ^mysq ^mysql ^mysql$ ^tags ^tags$ ^стары ^хран
        """,
        50: """
            ^gli$ ^lang index_on make_it
        """,
        45: """
            ^bish ^bishe ^bisher ^bisher$ ^mehr ^pole ^princ ^princi ^principa ^save$ utf_mb
        """,
        40: """
            ^artic ^beco ^becom ^become ^conve ^conver ^deli ^dziś ^dziś$ ^künf ^künft ^künfti ^künftig$ ^need$ ^prese
            ^presen ^present$ ^save ^speichern$ ^utenti ^utenti$ ^write$ 기존
        """,
        35: """
            ^actu ^audi ^auftrag$ ^deliv ^delive ^et$ ^jetz ^kept ^kept$ ^lists ^lists$ ^nick ^primary$ ^spei ^speic
            ^speich ^speicher ^titles ^titles$ ^una$ ^write ^храни ^хранит s_in settin_in up_to 字段
        """,
        30: """
            ^artik ^artike ^aujo ^aujou ^aujour ^aujourd$ ^bool ^devi ^hui$ ^inser ^inventor ^inventory$ ^modi ^modif
            ^nickn ^nickna ^nickname ^original$ ^pole$ ^registro ^scho ^steht ^steht$ ^stoc ^stock ^stock$ ^tabe
            ^tabel ^tenu ^thos ^those ^those$ ^une$ ^utf$ ^varc ^varch ^varcha ^varchar$ at_presen aujour_hui
            create_at old_ones 默认
        """,
        25: """
            ^articl ^beste ^blob ^blob$ ^divi ^divid ^due$ ^fiche ^gesp ^gespe ^hold$ ^ini$ ^later$ ^plusi ^plusie
            ^plusieur ^plusieurs$ ^postg ^postgr ^postgres ^postgres$ ^recip ^registro$ ^separate ^solle ^sollen
            ^sollen$ ^trze ^varias ^varias$ ^може ^может ^может$ ^старо ^старое ^старое$ a_last abstur_beim aggiun_il
            and_when are_kept de_cada first_start for_new per_gli the_origin we_need を持 手机号 报错 机号 형식
        """,
        20: """
            ^article$ ^bekommen ^bekommen$ ^bele ^beleg ^berl ^berli ^berlin ^boolean$ ^cadas ^cadast ^cadastro ^eige
            ^eigen ^eigene ^enti ^entre ^esistent ^esistenti$ ^events ^events$ ^existent ^habe ^hoy$ ^later ^mett
            ^mette ^metter ^mettere$ ^modifi ^nell$ ^oggi ^oggi$ ^pair ^pinn ^pinne ^pinned ^pinned$ ^primeiro
            ^primeiro$ ^ques ^quest ^remember$ ^rewritte ^rewritten$ ^sepa ^separ ^separa ^sqli ^sqlit ^sqlite
            ^sqlite$ ^suff ^suffi ^suffit ^suffit$ ^surv ^tene ^toge ^toget ^togeth ^together ^together$ ^uten ^utent
            ^versions ^vorh ^vorha ^vorhan ^vorhande ^vorhandene$ ^wer$ ^дата ^дата$ ^карт ^него ^него$ ^неск ^неско
            ^нескол ^нескольк ^несколько$ ^сервера$ ^хранить$ an_index and_every are_shared first_and gli_utenti
            id_create id_en la_table last_name long_for more_than on_events on_readin stays_the the_day too_long コー
            コード 个字 手机 마다 번호를 옮겨 호를
        """,
        15: """
            ^acro ^acros ^across ^across$ ^adhé ^adhér ^adhére ^adhérent ^adhérents$ ^ahor ^ahora ^ahora$ ^articles
            ^articles$ ^artikel$ ^belo ^belon ^belong ^besta ^bestan ^bestand$ ^big$ ^cate ^categ ^catego ^categorías$
            ^chaq ^chaqu ^chaque ^chaque$ ^contacts ^contacts$ ^corru ^corrup ^decimals ^decimals$ ^divide ^document$
            ^déjà ^déjà$ ^entit ^entri ^entrie ^entries$ ^exis ^exist ^fami ^famil ^già$ ^guard ^guardar$ ^guessa
            ^guessabl ^guessable$ ^hold ^ids$ ^langu ^leer$ ^looku ^lookup ^lookup$ ^name$ ^perde ^posso ^posson
            ^possono$ ^postal$ ^producto ^producto$ ^reada ^readab ^readable ^readable$ ^readi ^readin ^recen ^recent
            ^score ^shipm ^shipme ^shipment ^shipment$ ^survi ^surviv ^survive$ ^termine$ ^timest ^timestam ^univ
            ^únic ^único ^único$ ^значения ^значения$ ^карто ^карточ ^карточке ^карточке$ ^перевест ^перевести$
            ^строка ^строка$ a_copy a_user is_a it_a m_rows need_a of_their run_out the_report to_date to_it
            varias_catego we_should who_change write_the в_карточ きる できる にす にする 商品 支持 现在 的账 的账号
            账号 나누 상세 째로
        """,
        10: """
            ^actue ^actuel ^admins ^admins$ ^adresses ^adresses$ ^alter$ ^cadastro$ ^categorí ^contac ^device$ ^doda
            ^dodać ^dodać$ ^encrypt$ ^existi ^existing ^existing$ ^game ^hash$ ^inse ^kunde$ ^mehre ^mehrer ^mism
            ^obbl ^obbli ^obblig ^obbligat ^obbligatorio$ ^player$ ^query ^scor ^seve ^spalte$ ^tabela ^telefono
            ^telefono$ ^trzec ^trzech ^trzech$ ^weekd ^weekda ^weekday$ ^zeic ^zeich ^zeiche ^зака ^заказ ^заме ^знач
            ^значе ^значен ^поле ^поле$ belong_to künfti_als set_it store_the takes_s what_s 索引 需要 있음
        """,
        5: """
            ^move$ ^pres ^titl ^title ^types ^types$
        """,
    },
    "api": {
        110: """
            ^publ ^publi
        """,
        95: """
            ^rece
        """,
        80: """
            ^item
        """,
        75: """
            ^items ^items$ ^public ^public$
        """,
        70: """
            ^created$ ^inte instea_of
        """,
        65: """
            ^answ ^answe ^answer ^config ^scripts$ ^send have_to
        """,
        60: """
            ^create ^depu ^receiv ^resp ^scri ^scrip ^script ^von$
        """,
        55: """
            ^crea ^format$ ^null$ ^parametr ^pasa ^recei ^sdk$
        """,
        50: """
            ^clients$ ^creat ^engi ^engin ^engine ^envi ^feed ^feed$ ^gibt ^gibt$ ^inste ^instea ^instead$ ^integ
            ^integr ^pedid ^pedido ^xml$ ^мето ^метод ^метод$ dates_in
        """,
        45: """
            ^apps ^apps$ ^becomes$ ^drop$ ^noch ^noch$ ^param ^parame ^requir ^response ^retu ^retur ^return ^verb
            改为
        """,
        40: """
            ^answer$ ^api$ ^argu ^argum ^argume ^argument ^config$ ^deprecate$ ^iso$ ^libr ^library$ ^müss ^partn
            ^partne ^renv ^renvo ^respo ^respon ^respu ^respue ^respuest ^rout ^route drop_node receiv_the the_public
            필요
        """,
        35: """
            ^alia ^alias ^alias$ ^antw ^antwo ^antwor ^antwort$ ^argument$ ^body ^body$ ^depui ^depuis ^depuis$ ^entry
            ^entry$ ^enviar ^enviar$ ^funci ^integrat ^interf ^interfac ^interface$ ^mill ^read$ ^requi ^respuesta$
            ^sind ^sind$ a_ser depend_on depuis_la like_every no_longer the_event the_feed the_respon える
        """,
        30: """
            ^avisa ^call ^color$ ^dates ^dates$ ^defa ^defau ^defaul ^dovr ^dovrà ^dovrà$ ^engines$ ^exit ^funcio
            ^funciona ^imme ^immer ^immer$ ^moves ^moves$ ^müsse ^müssen ^müssen$ ^parametro$ ^parte ^quit ^quita
            ^quitar ^quitar$ ^renvoi ^renvoie$ ^response$ ^returns$ ^route$ ^skri ^skrip ^skript ^skripte$ ^snak
            ^snake ^snake$ ^разр ab_immer il_parame mudar_o on_all on_it snake_case the_id に変 아닌
        """,
        25: """
            ^adap ^adapt ^answers$ ^applic ^applicat ^boole ^boolea ^callb ^callba ^callback ^color ^default$ ^depend$
            ^erreurs$ ^errors ^errors$ ^exits ^exits$ ^forme ^former ^former$ ^heis ^heiss ^heisst ^heisst$ ^każda
            ^każda$ ^klie ^klien ^komma ^komman ^kommando ^kommandozeile$ ^libra ^librar ^majo ^major ^major$ ^muda
            ^node ^node$ ^partners ^partners$ ^placed ^plz$ ^retries$ ^ser$ ^shal ^shall ^shall$ ^tell$ ^tutt ^uuid
            ^warn ^will by_defaul caller_who comple_de do_the el_campo feld_plz la_respue next_major no_alias old_one
            passa_a quitar_el the_former してい に変更 接口
        """,
        20: """
            ^accor ^accord ^accordin ^according$ ^ancienne ^anwe ^anwen ^anwend ^anwender ^anwender$ ^break$ ^carry
            ^carry$ ^changed$ ^changelo ^changelog$ ^controll ^envia ^exceptio ^follow$ ^getl ^getli ^getlis ^getlist$
            ^http$ ^komm ^legac ^legacy ^legacy$ ^mist ^mista ^mistak ^mistake$ ^núme ^númer ^número ^número$ ^object$
            ^obs$ ^ohne ^ohne$ ^parcei ^parceiro ^parceiros$ ^partner$ ^passa$ ^proto ^públ ^públi ^públic ^receiver
            ^remover$ ^reno ^toml ^toml$ ^tool$ ^traf ^value$ ^verbo ^verbos ^wpis ^перей ^старый ^старый$ ^убра
            ^убрат ^убрать ^убрать$ accord_to and_o and_people answer_with apps_read be_change código_de fetch_all
            get_a goes_away nur_noch of_comma os_parcei read_the script_of search_return the_defaul the_integr
            the_test the_value two_partne ていま り値 スポ スポン ポン ポンス レス レスポ 口返 口返回 戻り 戻り値
            接口返 답의 라이 라이언 언트 응답의 이언 이언트 클라 클라이
        """,
        15: """
            ^await$ ^break ^callers$ ^consu ^consum ^consumer ^consumers$ ^criad ^criado ^criado$ ^códi ^códig ^código
            ^código$ ^dd$ ^depe ^depen ^depend ^depr ^depre ^deprec ^deprecat ^false ^false$ ^feld ^feld$ ^graphq
            ^graphql$ ^hooks ^hooks$ ^http ^integrad ^integradores$ ^june ^june$ ^leas ^least ^least$ ^mixe ^mobi
            ^mobil ^mobile ^mobiles$ ^mudar ^mudar$ ^option$ ^party ^party$ ^pasa$ ^plug ^plugi ^plugin ^plugin$
            ^plugins$ ^promi ^promis ^readers$ ^receivers$ ^responses$ ^return$ ^suppri ^supprime ^supprimer$ ^testo$
            ^timeo ^timeou ^timeout$ ^usern ^userna ^username ^username$ ^uuid$ ^warnings ^warnings$ a_link as_second
            at_least campo_total das_alte event_user every_other feed_as in_all in_messag it_into le_champ los_integr
            of_when pedido_criado print_a read_it rename_event second_argume should_come stop_after the_json
            third_party with_an います 三方 回的 第三 第三方 返回 返回的 공지 문자 문자열 연동 열로 외부 응답 자열
            자열로 통일
        """,
        10: """
            ^ange ^avisar ^brea ^caller ^code ^comma$ ^cria ^dir$ ^endp ^fetc ^fetch ^fore ^forev ^foreve ^forever$
            ^handle$ ^pagi ^pagin ^pagina ^parte$ ^precis ^usa$ ^verbose$ ^yyyy ^yyyy$ ^долж ^отве ^ответ are_no
            as_iso in_config it_in semico_instea
        """,
        5: """
            ^awai ^await ^curs ^curso ^take$ ^warni ^warnin ^webh ^webho ^webhoo ^will$ remove_the
        """,
    },
    "security": {
        160: """
            ^can$
        """,
        95: """
            ^let$
        """,
        90: """
            ^any$
        """,
        75: """
            ^host ^passw
        """,
        65: """
            ^bez$
        """,
        60: """
            ^widz ^widzi the_url
        """,
        55: """
            ^post ^someb ^somebo ^somebody ^somebody$ up_in ログ
        """,
        50: """
            ^room ^sendi ^sendin ^sending$ ^tout ^паро ^парол
        """,
        45: """
            ^allow$ ^commen ^contra ^own$ ^proj ^proje ^projec ^see$ ^serve ^turn$ ^url$ ^widzi$ ^смен 所有
        """,
        40: """
            ^acce ^aler ^alert ^chec ^check ^cont ^ends ^ends$ ^konto ^konto$ ^mails ^mails$ ^pers ^requ after_hours
            phone_number が見
        """,
        35: """
            ^acces ^addr ^addre ^addres ^alert$ ^allow ^bloquear ^bloquear$ ^coll ^conse ^conseg ^contains ^contains$
            ^contr ^environm ^host$ ^invit ^oner ^onerr ^onerro ^onerror$ ^perso ^person ^prox ^proxy ^proxy$ ^qualq
            ^qualqu ^qualquer ^qualquer$ ^repos ^reposi ^reposito ^troc ^troca ^turn ^worksp ^workspac ^открыт
            ^открытом ^открытом$ contai_the in_there la_page of_other their_own в_открыт 导出
        """,
        30: """
            ^boar ^board ^check$ ^comment$ ^connec ^contract ^depl ^deplo ^deploy ^deploy$ ^depoi ^depois ^depois$
            ^downl ^downlo ^download ^download$ ^envir ^enviro ^environment$ ^exportar ^exportar$ ^guests ^guests$
            ^hoste ^inco ^logge ^me$ ^members$ ^my$ ^owne ^owner ^passwo ^plai ^plain ^plain$ ^prac ^praco ^pracow
            ^pracowni ^pracownik$ ^prot ^publis ^sign ^smtp ^smtp$ ^valer ^wejś ^widzie ^widzieć$ ^workspace$ ^доку
            ^докум ^докуме ^документ ^смены ^смены$ ^ссыл can_open depois_de in_my number_in open_the pracow_widzi
            smtp_passwo the_phone the_smtp user_input widzie_tylko
        """,
        25: """
            ^acceso ^acceso$ ^apar ^apare ^aparec ^bast ^basta ^basta$ ^bloq ^bloqu ^bloque ^colle ^configur ^contai
            ^contro ^doma ^domai ^domain ^editi ^frames ^frames$ ^guess ^html ^html$ ^keine ^kont ^logg ^logged
            ^logged$ ^minut ^nada ^outra ^outra$ ^pass ^peut ^peut$ ^pode ^prof ^publish$ ^pued ^puede ^recep ^reje
            ^salari ^salaries ^salaries$ ^server$ ^staf ^staff ^stop$ ^toute ^trocar ^trocar$ ^viewe ^viewer ^zapisu
            ^вход ^серв ^серве ^сервер below_the cambia_el img_src in_as in_plain logged_in may_be no_link of_privat
            onerro_alert plain_text see_salari show_up src_x the_token x_onerro でき 看到 能看
        """,
        20: """
            ^address$ ^addresse ^addresses$ ^anyo ^anyon ^anyone ^anyone$ ^audit$ ^baixa ^baixa$ ^block$ ^compan ^conn
            ^cook ^cooki ^cookie ^domain$ ^empl ^emplo ^employ ^employee ^employees$ ^encor ^encore ^encore$ ^encrypte
            ^encrypted$ ^expi ^expir ^fork ^forks ^forks$ ^keine$ ^minute ^moder ^open$ ^outs ^outsi ^outsid ^outside$
            ^owner$ ^passwords$ ^personal ^pops ^pops$ ^prak ^prakt ^prakti ^praktika ^praktikanten$ ^project$ ^puede$
            ^pupi ^pupil ^server ^shar ^shared ^shared$ ^snip ^snipp ^snippe ^snippet$ ^type$ ^viewer$ ^visit ^works
            ^документ$ ^откр ^откры a_commen and_after baixa_o basta_con but_not can_see con_cambia for_days for_login
            from_outsid nach_passwo not_to parent_of pops_up pull_reques see_the the_downlo the_export the_header
            the_page the_result the_snippe turn_on typing_the view_as без_входа докуме_открыв на_докуме открыв_без
            にし まだ インで ンで ンでき 客户 就能 無効 能看到 번호 합니 합니다 해야
        """,
        15: """
            ^able ^able$ ^allo ^codes ^codes$ ^conne ^cookies$ ^dependab ^dependabot$ ^editio ^edition$ ^fram ^frame
            ^funciona$ ^hr$ ^img$ ^invi ^known ^known$ ^lien ^lien$ ^limite ^modera ^mond ^password ^passwort ^plann
            ^poss ^posts ^posts$ ^pull ^pull$ ^pupils ^pupils$ ^redir ^redire ^redirect ^register ^registra ^ricev
            ^schoo ^school ^school$ ^serve$ ^sess ^sessi ^sessio ^share ^sourc ^source ^source$ ^src$ ^staff$ ^teac
            ^teach ^teache ^teachers ^teachers$ ^ticked ^ticked$ ^type ^visito ^voit ^voit$ ^отме ^отмен ^ссылк
            ^ссылка ^ссылка$ ^учас ^участ ^участн ^участник ^участников$ able_to are_visibl be_able can_switch
            from_our i_can into_a is_hidden names_and one_can prints_the run_in text_in the_deploy the_enviro
            the_projec the_route to_all what_the ссылка_на しま クン グイ グイン ストー トーク ログイ ーク ークン 会し
            会した 员页 员页面 就能进 普通 普通用 理员页 登录 能进 退会し 通用 通用户
        """,
        10: """
            ^access ^doit ^doit$ ^edit ^gerä ^gerät ^kein ^moderato ^moderators$ ^office ^post$ ^powin ^sala ^salar
            ^uploaded ^uploaded$ ^usuário$ ^worki ^workin ^working$ ^есть ^есть$ ^пароль ^пароль$ all_pages from_a
            la_base let_them look_at the_audit the_server the_whole they_should 관리 관리자 리자 밀번 밀번호 비밀
            비밀번
        """,
        5: """
            ^aparece$ ^baix ^direc ^frame$ ^logow ^logowa ^logowani ^private$ ^token$ ^zapi ^zapis した イン
        """,
    },
    "money": {
        90: """
            ^charg ^charge
        """,
        85: """
            ^od$
        """,
        80: """
            ^day$
        """,
        75: """
            the_order
        """,
        70: """
            ^appl
        """,
        65: """
            ^dost ^parc ^parce ^split$ ^tota ^total
        """,
        60: """
            ^ab$ ^compt ^faut$ ^spli ^split ^vale ^vouc ^vouch ^vouche ^voucher$
        """,
        55: """
            ^stor ^tip$
        """,
        50: """
            ^bill$ ^dosta ^eur$ ^fee$ ^kurs ^market ^taken ^taken$ for_both 金额
        """,
        45: """
            ^card ^card$ ^cent ^cent$ ^char ^charge$ ^cobra ^cred ^diffe ^differ ^driver ^euro ^licz ^paid ^paid$
            ^price$ il_faut 运费
        """,
        40: """
            ^au$ ^dla$ ^driv ^drive ^finan ^financ ^finance$ ^free$ ^half ^half$ ^locat ^locati ^location ^location$
            ^parcel ^pay$ ^rendu ^standard$ ^teil ^дост ^скид ^скидк is_taken n_est taken_off
        """,
        35: """
            ^actual$ ^appliq ^auftra ^beko ^bekom ^bekomm ^book ^books ^books$ ^credi ^credit ^free ^frei ^kids ^kids$
            ^livr ^minimu ^minimum$ ^piec ^piece ^plan$ ^rechnung$ ^seat ^скидка ^скидка$ a_code aparec_en order_is
            the_next vouche_is 원이 청구
        """,
        30: """
            ^amou ^amoun ^amount ^amount$ ^annu ^cliente$ ^credit$ ^debi ^delivery ^delivery$ ^desco ^descon ^doll
            ^dolla ^dollar ^dollars$ ^dostaw ^frai ^frais ^frais$ ^klientów ^klientów$ ^kurs$ ^minim ^paga$ ^pieces
            ^pieces$ ^przel ^przeli ^przelicz ^seat$ ^ship ^shippi ^shipping ^shipping$ ^tera ^teraz ^teraz$ ^totali
            ^être ^être$ ^кром ^кроме ^кроме$ correc_the from_pieces in_both in_two rate_on に統 に統一 会员 会员价
            员价 統一 送料 배송 배송비 부터 송비
        """,
        25: """
            ^actua ^actual ^annua ^annual ^annual$ ^anua ^anual ^apli ^aplic ^aplica ^applique ^artí ^artíc ^artícu
            ^artículo ^asks ^asks$ ^cart$ ^cobr ^cobrar ^correct$ ^debit ^debit$ ^dnia ^dnia$ ^drivers$ ^euro$ ^fidé
            ^fidél ^fidéli ^fidélité ^fidélité$ ^gift ^gift$ ^marke ^marketpl ^marketplace$ ^month ^nett ^netto
            ^netto$ ^parcel$ ^pas$ ^peso ^peso$ ^port$ ^primei ^standa ^standard ^sum$ ^vale$ ^vat$ ^vend ^versa ^wird
            ^wird$ ^wort ^worth ^worth$ ^доста ^достав ^суммы ^суммы$ ^чек$ asks_for button_is financ_says frais_de
            in_den kurs_euro la_tva le_total next_bill not_for remise_fidéli the_month the_store z_dnia с_суммы ごとに
            とに 叠加 订单 금은 지금 지금은
        """,
        20: """
            ^abov ^above ^above$ ^antigu ^aplica$ ^artículo$ ^aussi ^aussi$ ^bask ^baske ^basket ^basket$ ^bei$
            ^bekommt$ ^checkb ^checkbox ^checkbox$ ^cobrar$ ^compta ^compte$ ^cost$ ^desconto ^desconto$ ^descu
            ^descue ^descuent ^descuento$ ^dia$ ^diese ^diff ^differs$ ^drin ^driver$ ^emba ^erst ^erst$ ^gold$ ^late$
            ^liczo ^liczon ^livra ^livrai ^livraiso ^livraison$ ^mind ^octo ^octob ^octobe ^october$ ^payo ^payou
            ^payout ^plan ^quantity ^quantity$ ^rate$ ^reloaded ^reloaded$ ^remi ^rene ^renew ^roun ^round ^roundi
            ^rounding ^rounding$ ^scon ^scont ^sell ^signs ^signs$ ^stał ^stały ^taux ^taux$ ^tips ^tips$ ^total$
            ^tva$ ^valere ^valere$ ^webs ^бону ^бонус ^должны ^должны$ annual_plan answer_in au_taux con_el descue_se
            deve_valere el_descue fee_for from_octobe half_up middle_of minute_after people_pay per_item se_aplica
            the_bank the_positi the_vouche tip_is when_somebo à_la 今は 允许 只允 只允许 应按 满减 限制 적립 적용 포함
        """,
        15: """
            ^affichag ^affichage$ ^apply ^apply$ ^assin ^booking$ ^cena ^cena$ ^cente ^compr ^compri ^compris$ ^depo
            ^desc ^dies ^euros ^euros$ ^jedn ^less ^less$ ^money ^money$ ^month$ ^numé ^numér ^pago ^pelo$ ^prime
            ^pro$ ^reach ^rede ^redon ^redond ^redondea ^redondear$ ^shipp ^slot ^sped ^spedi ^spediz ^spedizio
            ^spedizione$ ^stripe$ ^swis ^swiss ^swiss$ ^tien ^totale ^totale$ ^yearl ^yearly ^yearly$ ^zahle ^zahlen
            ^до$ ^сумм a_cent again_after announ_it at_instea de_livrai el_client is_per l_export la_factur les_frais
            of_each se_il si_el sign_ups sul_totale sum_of swiss_custom the_basket the_full the_night the_provid
            the_sum three_items total_is un_solo 实际 用了 的金 的金额 다음 도입 입니 입니다 주문
        """,
        10: """
            ^announce$ ^bis$ ^calc ^capture$ ^ente ^enter ^fina ^floa ^float ^off$ ^provi ^provid ^provider ^provider$
            ^rate ^says ^says$ ^seats ^seats$ ^stripe ^stud ^stude ^studen ^students ^students$ ^vece ^veces ^veces$
            ^verif be_used new_sign no_invoic sur_le the_fee the_no total_in when_the 统一 원에 쿠폰
        """,
        5: """
            ^bill ^canc ^cance ^cancel ^faut ^nicht$ ^port ^produk ^rechn est_pas 计算
        """,
    },
    "destructive": {
        160: """
            ^prod
        """,
        125: """
            ^all$
        """,
        110: """
            ^produ
        """,
        85: """
            ^live から
        """,
        75: """
            ^produc ^regi 회원
        """,
        70: """
            ^datab ^databa ^database
        """,
        65: """
            ^histor ^incl
        """,
        60: """
            ^everyt ^everythi ^everything$ ^hist
        """,
        55: """
            ^histo ^inclu ^nigh ^night ^orig ^origi ^origin ^plus$ ^vom$
        """,
        50: """
            ^alte ^costs ^costs$ ^dump ^live$ ^prod$ ^qui$ ^stare ^stare$
        """,
        45: """
            ^alle$ ^alte$ ^away ^away$ ^included ^included$ ^remo ^remove$ ^serw ^serwe ^serwer
        """,
        40: """
            ^alle ^anti ^antig ^com$ ^compte ^includ ^inven ^invent ^kopie ^kopie$ ^lives ^livesy ^livesyst
            ^livesystem$ ^miej ^miejs ^miejsc ^newe ^newes ^newest ^newest$ ^original ^players$ ^producti ^production$
            ^prova ^prova$ ^throw ^vecc ^vecch ^vecchi ^zamó ^zamów ^zamówi ^вмес ^вмест ^снес ^снест ^снести ^снести$
        """,
        35: """
            ^ante ^autom ^automa ^automati ^automatically$ ^cancellare$ ^hay$ ^kopi ^main ^main$ ^olde ^older ^older$
            ^quel ^quell ^remot ^remote ^remote$ ^samt ^samt$ ^serwerze ^serwerze$ ^sprz ^wszy ^wszys ^wszyst ^вместе
            ^вместе$ is_closed na_serwer there_are 数据
        """,
        30: """
            ^anter ^anteri ^anterior ^anterior$ ^backu ^backup ^base$ ^buck ^bucke ^bucket ^companie ^companies$
            ^correos$ ^eliminare$ ^entf ^fili ^filia ^history$ ^lead ^mandan ^overw ^overwr ^overwrit ^rank ^raze
            ^razem ^razem$ ^remain$ ^remove ^stag ^stagi ^throw$ ^todos ^todos$ ^undo ^undo$ ^zera ^тесто ^тестов
            after_days delete_the il_vecchi ザー ユー ユーザ ーザ ーザー 本番 운영 지난
        """,
        25: """
            ^archi ^archive$ ^ausge ^backup$ ^base ^belege ^bot$ ^bucket$ ^close ^espa ^expire$ ^forc ^force ^force$
            ^jour ^journ ^journa ^journaux ^journaux$ ^mais ^mais$ ^months ^months$ ^otro ^projects ^projects$ ^raw$
            ^real ^remov ^rid$ ^stato ^stato$ ^then ^then$ ^tout$ ^vacia ^vaciar ^vaciar$ ^vider ^vider$ ^weg$ ^years
            ^years$ ^боев ^боево ^боевом ^боевом$ ^все$ ^старых ^старых$ ^файлам ^файлами$ de_plus get_rid histor_of
            out_of plus_de rid_of the_attach the_dead the_histor the_m the_rest two_years vaciar_la вместе_с на_боевом
            から消 ら消 ら消す を本 を本番 バー ーバ ーバー 不要 退会 것만 데이 데이터 등록 서버 이터 정리
        """,
        20: """
            ^accounts ^accounts$ ^antigo ^chea ^cheat ^cheate ^clientes ^clientes$ ^clos ^commandes$ ^comptes$ ^daten
            ^dead ^disk ^doss ^dossi ^dossie ^dossiers ^dossiers$ ^dupli ^duplic ^duplicat ^eliminar ^ended ^ended$
            ^entfe ^entfer ^entferne ^entfernen$ ^eol$ ^ever$ ^everyo ^everyone ^everyone$ ^exception$ ^intere ^kompl
            ^komple ^komplett ^komplett$ ^liege ^liegen ^liegen$ ^milli ^nightl ^nightly$ ^ones ^ones$ ^pasad ^pasado
            ^push ^push$ ^repository$ ^schu ^sessions ^sessions$ ^stagin ^staging$ ^subscrib ^subscribers$ ^tables
            ^tables$ ^tb$ ^testow ^todas ^todas$ ^tracki ^tracking ^tracking$ ^uploads$ ^usun ^usuną ^usunąć ^usunąć$
            ^vaci ^vecchi$ ^один ^один$ ^само ^удали ^удалит ^удалить$ ^файл any_more attach_on borrar_los compte_de
            costs_us dead_letter duplic_compan empty_the in_produc letter_queue older_than qui_a remove_all replac_all
            shall_see stare_kopie there_and us_a user_s vider_la von_der with_force больше_не 环境 래된 매일 새벽 오래
            오래된 이블 테이 테이블
        """,
        15: """
            ^antigo$ ^archiv ^aus$ ^beca ^cert ^certi ^certif ^certific ^clean ^contas ^contas$ ^copia$ ^crm$
            ^definiti ^disk$ ^dupl ^duplicate$ ^esto ^estoq ^estoqu ^estoque$ ^exports$ ^gb$ ^gone ^gone$ ^grows
            ^grows$ ^houses ^houses$ ^könn ^könne ^können ^können$ ^leur ^mandante ^mandanten$ ^origin$ ^overwrite$
            ^pier ^quelli ^quelli$ ^raus ^regio ^region ^releases ^releases$ ^sans ^sans$ ^seas ^seaso ^season
            ^season$ ^servid ^servidor ^servidor$ ^six$ ^squa ^subs ^todo ^vertra ^vertrag$ ^volta$ ^week$ ^well
            ^well$ ^worl ^world ^world$ ^wszystki ^wszystkie$ ^zerar ^zerar$ ^базе ^базе$ ^боль ^больш ^больше
            ^больше$ ^наст ^настр ^настро ^файла ^чита ^читае ^читает ^читает$ a_month and_remove are_delete as_well
            aus_dem del_servid en_prod for_two includ_their list_in lose_their month_for o_estoqu old_bucket on_prod
            plus_d push_with run_on should_take than_a that_were the_base the_duplic the_eu todos_los un_an zerar_o
            в_базе の会 の会員 の全 アッ アップ クア クアッ サー サーバ スト ックア バック バーか ーか ーから 会員
            全部 消す 파일 하지 휴면
        """,
        10: """
            ^attachme ^borr ^borra ^cancella ^closed ^closed$ ^clus ^clust ^cluste ^cluster$ ^dado ^dados ^dados$
            ^está ^está$ ^eu$ ^expire ^inac ^inact ^inacti ^includin ^including$ ^inve ^komp ^kosz ^nas$ ^nuke ^nuke$
            ^pictures ^pictures$ ^points ^points$ ^produç ^produção ^produção$ ^repo$ ^servi ^subsc ^subscr ^tenants$
            ^track ^tras ^trash ^trash$ ^удал a_year api_keys becaus_of de_produç every_night everyb_s gb_a
            import_from más_de nuke_the of_closed people_who remote_branch todos_os undo_the 古い 첨부
        """,
        5: """
            ^clean$
        """,
    },
    "ambiguity": {
        180: """
            ^or$
        """,
        150: """
            ^some
        """,
        85: """
            ^qual
        """,
        75: """
            ^some$
        """,
        70: """
            ^deci
        """,
        65: """
            ^but$ ^fast ^más$
        """,
        55: """
            ^poprawić ^poprawić$ ^redo ^soli
        """,
        50: """
            ^abou ^about ^about$ ^oder ^oder$ ^tbd$
        """,
        45: """
            ^decid ^decide ^mein ^nice ^nicer ^nicer$ ^prefer ^raport ^verr ^что$ lo_del
        """,
        40: """
            ^bitt ^bitte ^bitte$ ^conc ^correo ^finde ^popra ^popraw ^preferen ^principale$ ^sea$ ^usuarios ^usuarios$
            que_sea 首页
        """,
        35: """
            ^alto ^czy$ ^fast$ ^mb$ ^much ^much$ ^pref ^quali ^rapo ^rapor ^rendr ^rendre ^rendre$ ^somet ^tablets$
            ^usuar ^usuari ^whate ^whatev ^whatever ^whatever$ ^или$ el_panel let_s look_like rendre_la 하게
        """,
        30: """
            ^atra ^coul ^could ^could$ ^dashb ^dashbo ^dashboar ^dashboard$ ^faste ^faster ^faster$ ^feel ^find$ ^llam
            ^llama ^llamad ^llamada$ ^mal$ ^needs ^needs$ ^notifications$ ^ou$ ^prefe ^skip$ ^tues ^tuesd ^tuesda
            ^tuesday$ ^втор ^реши ^решил ^увед ^уведо ^уведом ^уведомле about_it be_writte the_app 改版 页改 页改版
            首页改 아직
        """,
        25: """
            ^accessib ^algo ^algo$ ^anmeldun ^anmeldung$ ^bett ^bette ^better ^better$ ^decis ^degl ^degli ^degli$
            ^discu ^discus ^discusse ^discussed$ ^draf ^draft ^editors$ ^ense ^ensem ^ensemb ^ensemble ^ensemble$
            ^ents ^geschä ^geschäft ^geschäftsführung$ ^hace ^kart ^km$ ^mostrar$ ^neit ^neith ^neithe ^neither$ ^onbo
            ^onboa ^onboar ^onboardi ^onboarding$ ^onde ^onde$ ^precisam ^product$ ^qué$ ^relató ^relatóri ^relatório$
            ^revo ^said ^said$ ^skip ^someti ^sometime ^sometimes$ ^thin ^think ^usta ^ustal ^viel ^writt ^writte
            ^written$ ^клие ^клиен ^клиент ^остав ^решили ^решили$ app_should as_discus be_agreed have_been
            large_files left_or limit_the needs_to newest_first nobody_has people_to sort_order the_call the_wiki to_a
            users_may whatev_you you_think не_решили 知の 还是 通知 通知の 개편
        """,
        20: """
            ^agre ^agree ^agreed ^agreed$ ^anco ^ancor ^ancora ^ancora$ ^autor$ ^boni ^classe ^convi ^countrie
            ^countries$ ^decided$ ^decidere ^decidere$ ^defi ^defin ^defini ^diret ^direto ^drafts ^drafts$ ^fare
            ^fare$ ^feels ^feels$ ^filters$ ^fris ^gest ^implement$ ^inne ^linea ^maga ^magar ^magari ^magari$ ^meinu
            ^meinun ^meinunge ^meinungen$ ^otra ^pick$ ^reply ^reply$ ^senz ^senza ^senza$ ^speci ^talk ^think$ ^thur
            ^thurs ^thursd ^thursday ^thursday$ ^ustale ^ustaleni ^ustalenia$ ^vertri ^vertrieb ^vertrieb$ ^whet
            ^wheth ^whethe ^whether$ ^zapy ^zapyt ^zapyta ^жалу ^отчё ^отчёт above_the an_export app_is bitte_um
            da_decide der_vertri do_someth do_ustale do_we go_to is_slow keep_or la_llamad las_notas los_usuari
            on_each someth_about the_team um_meinun ってい 产品 规则 미정 했습 했습니
        """,
        15: """
            ^aske ^asked ^asked$ ^assig ^assign ^author$ ^autor ^bestä ^birthd ^birthday ^collec ^compla ^complain
            ^crit ^deja ^dent ^dentr ^dentro ^dentro$ ^five ^five$ ^foll ^follo ^follow ^frisc ^frisch ^gard ^garde
            ^garder ^garder$ ^hacem ^hacemo ^hacemos$ ^ils$ ^impro ^improv ^improve$ ^inicia ^inicial$ ^karte ^mandat
            ^mandator ^mandatory$ ^noti ^notif ^pods ^prodo ^prodot ^raz$ ^reminder$ ^rive ^rived ^rivede ^rivedere
            ^rivedere$ ^sais ^short$ ^smar ^smart ^smarte ^smarter$ ^sprint ^sprint$ ^tour ^tour$ ^vedi ^vedia ^vediam
            ^vediamo$ ^war$ ^way$ ^yes$ ^делат ^делать ^делать$ ^меня ^прид ^пуст a_page a_tela it_some on_thursd
            on_tuesda qué_hacemo second_one should_just should_look sure_what tela_inicia want_it what_people
            что_делать します 没定 还没 还没定 습니다
        """,
        10: """
            ^annoy ^correo$ ^criteria ^criteria$ ^dash ^deal$ ^gesc ^gesch ^good$ ^icons ^icons$ ^impl ^imple ^implem
            ^implemen ^inic ^inici ^notifi ^ordine ^ordine$ ^pane ^panel ^rete ^reten ^retent ^retentio ^retention$
            ^someth ^somethin ^something$ ^sure ^sure$ ^threads$ ^клиентам ^со$ accept_criter all_rows not_sure
            please_fix suppor_for the_map the_settin what_do 方案 화면
        """,
        5: """
            ^impr
        """,
    },
    "any": {
        170: """
            ^and$
        """,
        165: """
            ^get$
        """,
        155: """
            ^les$
        """,
        150: """
            ^old$
        """,
        145: """
            ^at$
        """,
        135: """
            に
        """,
        130: """
            ^be$
        """,
        120: """
            ^for$
        """,
        115: """
            ^new$ ^user ^v$ and_the
        """,
        110: """
            ^they ^they$ the_old 用
        """,
        105: """
            ^a$ ^take
        """,
        100: """
            ^who$ ま
        """,
        95: """
            ^las$ ^must ^out$ ^peop ^peopl ^people ^people$ ^we$ 改 要 원 회
        """,
        90: """
            ^cust ^custo ^custom ^customer ^do$ ^ever ^los$ ^mit$ 부
        """,
        85: """
            ^by$ ^clie ^clien ^client ^may$ ^must$ ^o$ ^plus ^users$ か を
        """,
        80: """
            ^days ^days$ ^every ^que$ ^thei ^their ^their$ ^toda 户
        """,
        75: """
            ^appli ^e$ ^entr ^find ^il$ ^mail 会 개
        """,
        70: """
            ^both ^both$ ^customers$ ^phone$ ^с$ は 도
        """,
        65: """
            ^cost ^kund ^kunde ^now$ ^supp ^team ^team$ ^ticke ^with ^with$ ます 分 能 정
        """,
        60: """
            ^cambiar$ ^have ^kunden ^mome ^momen ^moment ^more ^more$ ^może ^może$ ^regis ^regist ^si$ ^slow ^suppor
            ^support$ ^users ^want ^what も ら 为 以 接 日 지
        """,
        55: """
            ^auft ^auftr ^cada$ ^chi$ ^conf ^deve ^from$ ^have$ ^longer ^longer$ ^muss ^muss$ ^slow$ ^suppo ^takes
            ^takes$ ^that ^that$ ^them$ ^ther ^ticket with_a 号 是 用户 看 知 还 退 部 변경 비
        """,
        50: """
            ^an$ ^chat ^confi ^deve$ ^gets ^gets$ ^gues ^hours ^hours$ ^i$ ^kunden$ ^lo$ ^longe ^m$ ^mand ^manda
            ^moment$ ^part ^pedi ^prov ^switch$ ^there$ ^today ^today$ the_moment 老 运 额 구 다 으 일 해
        """,
        45: """
            ^anci ^ancie ^ancien ^anyt ^anyth ^anythi ^anything ^anything$ ^date ^der$ ^die$ ^limi ^limit ^next ^next$
            ^note ^notes ^notes$ ^più$ ^playe ^player ^serv ^stil ^still ^still$ ^texts ^texts$ ^there ^thro ^tick
            ^user$ ^usua ^vertr ^want$ ^year ^и$ ^сдел ^сдела ^сделат ^сделать$ change_the get_the into_the 加 生 费
            金 것 변 은 주
        """,
        40: """
            ^comme ^con$ ^conta ^currentl ^currently$ ^dire ^filte ^filter ^first$ ^from ^know ^look$ ^make$ ^memb
            ^membe ^member ^need ^nobo ^nobod ^nobody ^nobody$ ^order$ ^pedido$ ^phon ^phone ^popr ^prim ^primar
            ^quant ^quanti ^room$ ^sales ^sales$ ^shop ^sont ^sont$ ^un$ ^up$ ^us$ ^wir$ ^от$ de_l must_not the_new
            to_be 他 回 存 实 导 持 方 止 細 送 通 首 언 으로 적 전
        """,
        35: """
            ^auch ^auch$ ^avis ^been ^befo ^befor ^before ^before$ ^chat$ ^cons ^corr ^everyb ^everybod ^everybody$
            ^fields ^fields$ ^keep$ ^late ^ma$ ^manu ^messages ^messages$ ^not$ ^novo ^novo$ ^numbers$ ^of$ ^order
            ^our$ ^po$ ^por$ ^prima ^sale ^search$ ^tell ^them ^week ^нужн can_be en_la on_the the_chat the_import た
            り 三 人 员 品 所 扣 据 段 满 番 直接 算 見 认 경 기 년 바 배 청 파
        """,
        30: """
            ^accep ^accept ^acco ^app$ ^ask$ ^been$ ^existe ^fich ^fäll ^go$ ^it$ ^large$ ^limit$ ^lose$ ^night$
            ^required ^required$ ^task ^testo ^ticket$ ^unli ^were ^were$ ^what$ ^y$ a_los as_a ask_for before_the
            de_la right_now search_for the_second せ グ セ ユ 先 前 原 同 备 年 消 版 統 自 话 都 默 난 닌 더 데 료 분
            세 송 요 운 월 장 직 탈 했
        """,
        25: """
            ^also ^also$ ^anno ^audit ^aufträ ^aufträge ^aufträge$ ^back ^count$ ^devic ^device ^devices$ ^differen
            ^down ^files ^files$ ^float$ ^full ^full$ ^für$ ^goes ^goes$ ^good ^guest ^hat$ ^into ^into$ ^je$ ^know$
            ^lega ^lief ^liefe ^liefer ^minutes$ ^move ^numb ^numbe ^number ^rest$ ^sear ^searc ^search ^sync ^sync$
            ^task$ ^than$ ^too$ ^und$ ^units ^units$ ^unlim ^unlimi ^unlimite ^unlimited$ ^vert ^wants ^wants$ ^werd
            ^werde ^werden ^werden$ ^zone ^кто$ ^у$ con_i for_nothin from_now get_it go_on has_to now_on only_the
            tem_que the_custom the_user time_zone use_the with_the withou_it いま う ご ごと バ ポ ョ 个 元 口 含 商
            好 客 就 工 效 料 未 本 款 無 订 论 返 공 관 금 등 서 식 업 연 의 저 존 편 형
        """,
        20: """
            ^alwa ^alway ^always ^always$ ^ancien$ ^assi ^back$ ^betw ^betwe ^betwee ^between$ ^campos ^campos$ ^chats
            ^chats$ ^corre ^customer$ ^direcc ^exac ^exact ^exactl ^exactly$ ^expo ^expor ^export ^filter$ ^hoje
            ^hoje$ ^hora ^import$ ^importer$ ^inter ^każd ^keep ^large ^long ^mail$ ^marketin ^marketing$ ^nome$ ^offi
            ^offic ^posta ^postal ^proce ^proces ^process$ ^remin ^remind ^reminder ^repo ^second$ ^sem$ ^settings
            ^settings$ ^shop$ ^soll ^steps ^steps$ ^tabell ^tem$ ^thir ^third ^third$ ^tickets$ ^uplo ^uploa ^upload
            ^zone$ ^нужна ^нужна$ all_of and_let copy_of e_mail is_in it_at must_be one_is per_person settin_ini
            the_client うに え して す だ よ ように ク ャ 一 产 今 値 允 入 全 减 则 制 可 可以 合 変 家 把 既 時 机
            环 登 着 统 规 许 重 需 겨 고 과 꿔 나 니다 된 래 매 미 바꿔 벽 블 신 아 영 옮 와 우 주세 주세요 차 체 치
            터 통 하고 합 휴
        """,
        15: """
            ^acceptan ^acceptance$ ^anyw ^application$ ^autho ^author ^birt ^birth ^call$ ^cambia ^complete$ ^coun
            ^count ^curr ^curre ^curren ^dwa$ ^exte ^g$ ^incl$ ^lose ^mehr$ ^mess ^messa ^messag ^name ^ne$ ^news
            ^newsl ^newsle ^newslett ^newsletter$ ^non$ ^one$ ^ordi ^ordin ^os$ ^paged ^paged$ ^pages ^pages$ ^proc
            ^quan ^reci ^rema ^report$ ^sett ^setti ^settin ^shops ^shops$ ^sie$ ^stored ^stored$ ^such ^time$ ^true
            ^true$ ^vecchio$ ^was$ ^work$ ^нужно ^нужно$ a_time amount_in for_all is_the les_ancien the_limit
            the_plugin togeth_with we_never we_want くだ くださ さい し ださ ださい っ て び へ よう わ ア メ 便 判 利
            力 否 員 在是 外 庫 形 报 整 普 每 求 现 现在是 秒 複 计 设 账 际 게 누 답 립 무 문 보 알 외 을 있 필
        """,
        10: """
            ^accou ^accoun ^agai ^again ^b$ ^camb ^cambi ^contain$ ^deal ^eine$ ^everyw ^everywhe ^everywhere$ ^firs
            ^first ^give$ ^had$ ^hour ^importer ^orde ^person$ ^place$ ^plea ^pleas ^please ^please$ ^profi ^profil
            ^reade ^reader ^regions$ ^steh ^than ^used ^used$ ^weekl ^weekly ^weekly$ ^на$ a_new dans_l it_from it_on
            they_re と め ザ 不 叠 古 境 更 案 索 负 를 밀 세요 소 않 야 음 첨 쿠 폰 하
        """,
        5: """
            ^als$ ^comm ^comments ^comments$ ^da$ ^data ^play ^poin ^point ^se$ ^table drop_the 法 는 용 호
        """,
    },
    "none": {
        -335: """
            ^px$
        """,
        -205: """
            ^test
        """,
        -180: """
            ^test$
        """,
        -170: """
            ^docs ^is$
        """,
        -160: """
            ^list
        """,
        -155: """
            ^docs$
        """,
        -150: """
            ^no$
        """,
        -145: """
            ^print
        """,
        -140: """
            ^im$ ^use$
        """,
        -135: """
            ^in$ ^miss
        """,
        -130: """
            ^local ^wron ^wrong
        """,
        -125: """
            ^labe ^label ^line ^t$
        """,
        -120: """
            ^clic ^guid ^py$ ^sele ^selec ^wrong$ 가
        """,
        -115: """
            ^add$ ^ctrl ^ctrl$ ^label$ な
        """,
        -110: """
            ^md$ ^select
        """,
        -105: """
            ^compo ^icon ^show 图
        """,
        -100: """
            ^al$ ^ci$ ^does ^line$ ^prin ^się$ 이
        """,
        -95: """
            ^butt ^butto ^button ^button$ ^css$ ^form$ ^has$ ^loca ^ms$ ^refu ^s$ ^scro ^scrol ^scroll が
        """,
        -90: """
            ^click ^form ^grey ^grey$ ^icon$ ^ios$ ^its$ ^list$ ^permis ^w$ の
        """,
        -85: """
            ^dans ^dans$ ^dev$ ^hint ^igno ^ignor ^ignore ^migr ^migra ^missi ^missin ^missing$ ^pdf$ ^perm ^print$
            ^readm ^readme ^readme$ ^tests ^tests$ 动 文
        """,
        -80: """
            ^bar$ ^bump ^comp ^digi ^digit ^help ^imag ^image ^logo$ ^menu ^menu$ ^na$ ^only ^only$ ^permi ^picke
            ^przy ^refun ^refund ^rende ^render ^spee ^speed ^speed$ ^stay ^sur$ ^tab$ ^wind ^windo ^window ^worke
            ^спис in_the the_wrong 标
        """,
        -75: """
            ^bump$ ^d$ ^del$ ^does$ ^el$ ^field$ ^guide ^key$ ^log$ ^over ^pars ^parse ^paym ^payme ^paymen ^picker
            ^picker$ ^role ^row$ ^sche ^text$ ^toolt ^toolti ^tooltip$ ^trans to_the 글 스
        """,
        -70: """
            ^alre ^alrea ^alread ^already$ ^box$ ^du$ ^esli ^eslin ^eslint ^info ^lite ^liter ^logi ^modo ^modo$ ^ok$
            ^page$ ^react ^soun ^sound ^sound$ ^summ ^ts$ ^when ^when$ speed_up 字 换 画 色 버튼 튼
        """,
        -65: """
            ^column$ ^compon ^componen ^editor$ ^enla ^enlace$ ^escape$ ^eslint$ ^info$ ^jump ^literó ^literówk
            ^literówka$ ^login ^ment ^menti ^mentio ^nella ^nella$ ^overl ^overla ^payment$ ^permissi ^prog ^progr
            ^prop ^react$ ^retr ^shows ^shows$ ^spin ^spinn ^spinne ^text ^this ^this$ ^tile ^tipp ^toke ^token
            ^tokens ^tran ^usar ^usar$ ^util ^view$ ^кноп ^кнопк ^при$ from_to in_der け ド ル 글자 두 임
        """,
        -60: """
            ^andro ^androi ^blan ^click$ ^enlac ^enlace ^erro ^font ^foot ^foote ^footer ^footer$ ^guide$ ^helpe
            ^helper ^imports$ ^insta ^job$ ^logo ^npm$ ^overlap$ ^prev ^progre ^quiz ^read ^scroll$ ^segn ^segna ^stat
            ^stay$ ^svg$ ^tool ^unde ^unti ^until ^until$ ^version$ ^vide ^worker ^worker$ ^в$ ^опла ^оплат ^пада
            ^падае ^падает ^падает$ ^подс ^экра ^экран campo_de dans_le ない ッ 中 了 表 안 오타 크 타
        """,
        -55: """
            ^alig ^align ^andr ^anim ^anima ^ao$ ^auf$ ^bann ^banne ^banner ^banner$ ^behi ^behin ^behind ^behind$
            ^botã ^botão ^botão$ ^cache$ ^chap ^chapt ^chapte ^chapter$ ^colu ^colum ^column ^completi ^coup ^debu
            ^debug ^fail ^faute ^faute$ ^fehlt ^fehlt$ ^fix$ ^flic ^flick ^flicke ^graf ^image$ ^liste ^mese ^migrat
            ^overf ^overfl ^overflow ^overflow$ ^para$ ^pick ^reac ^reports$ ^same ^show$ ^slid ^slide ^stre ^tax$
            ^tela ^tile$ ^uses ^uses$ ^variab ^variable ^zoom ^zwei ^кнопка ^кнопка$ as_in the_other use_a イ フ 印 屏
            里 页 题 잘
        """,
        -50: """
            ^arrow ^autoc ^avat ^avata ^avatar ^benc ^bench ^benu ^benut ^benutz ^billi ^billin ^billing$ ^blank ^bord
            ^borde ^border ^brok ^broke ^buil ^cach ^cache ^class$ ^comes ^comes$ ^compar ^completion$ ^contri
            ^contribu ^contributing$ ^de$ ^delet ^esca ^escap ^escape ^every$ ^fails ^fails$ ^fire ^firef ^firefo
            ^firefox$ ^flak ^font$ ^head ^high ^highl ^highli ^highligh ^hinte ^hinter ^how$ ^inde ^indi ^intern ^k$
            ^lint ^locale ^login$ ^map$ ^mm$ ^modu ^modul ^nur$ ^parser ^parser$ ^past ^paste ^paste$ ^prei ^preis
            ^puls ^pulsa ^pulsan ^pulsante ^pulsante$ ^repla ^roles ^roles$ ^same$ ^scre ^scree ^screen ^segnap
            ^segnapos ^segnaposto$ ^select$ ^sort ^state$ ^story ^temp ^thre ^trad ^translation$ ^umla ^umlau ^umlaut
            ^unuse ^unused ^unused$ ^versi ^vide$ ^whil ^while ^while$ ^widt ^width ^икон ^оплаты ^оплаты$ ^перек
            ^перекр ^перекрыв ^перекрывает$ ^списк cache_the has_a il_segnap not_needed o_campo on_page set_in the_end
            the_label れ ボ 一覧の 切 刷 期 没 示 覧の 除 색 어 자
        """,
        -45: """
            ^android$ ^barr ^blas ^border$ ^bug$ ^build ^campo$ ^carr ^coupo ^coupon ^coupon$ ^cove ^cover ^debug$
            ^delete ^descr ^descri ^did$ ^discou ^discount ^discount$ ^draw ^druc ^druck ^emoj ^emoji ^error ^exam
            ^examp ^exampl ^expl ^file$ ^flaky ^flaky$ ^floo ^focu ^focus ^focus$ ^gene ^gener ^grou ^gráf ^gráfi
            ^gráfic ^hand ^helper$ ^hide ^icôn ^icône ^icône$ ^index ^instal ^install$ ^kill ^kill$ ^lexe ^lexer
            ^lexer$ ^limp ^lista ^lista$ ^local$ ^markd ^markdo ^markdown ^markdown$ ^mention$ ^nan$ ^nell ^pip$ ^png$
            ^press ^progress ^progress$ ^przyc ^przyci ^przycisk ^renderer ^renderer$ ^run$ ^seed ^seed$ ^spinner$
            ^spri ^springt$ ^state ^stut ^stutt ^stutte ^stutters ^stutters$ ^swap ^terminal ^timer ^timer$ ^tokens$
            ^trop ^typo$ ^unit ^unus ^update ^variable$ ^why$ ^windows$ ^word$ ^zasł ^é$ ^иконк ^иконка ^иконка$
            ^списо ^список ^список$ ^тест$ ^экрана a_set for_every il_pulsan it_s it_was la_liste like_the on_a
            overla_the the_last タ 一覧 切换 图标 小 按钮 次 画面 画面の 行 补 覧 言 钮 面 面の 그 기화 버 삭 아이 짜
            초 초기 초기화
        """,
        -40: """
            ^abri ^abrir ^alla ^alla$ ^animat ^animatio ^animation$ ^anze ^anzei ^anzeig ^arou ^aroun ^around ^around$
            ^arro ^beha ^beim ^beim$ ^benutzer ^bitmap ^build$ ^carte ^cli$ ^colo ^colon ^colonn ^colonne$ ^cut$ ^dele
            ^describe$ ^destr ^destro ^di$ ^digits ^digits$ ^displ ^displa ^dist$ ^doku ^dźwi ^dźwię ^dźwięk ^dźwięk$
            ^edito ^editor ^example$ ^extr ^extra ^faktury$ ^fiel ^field ^filtr ^fixed ^fixed$ ^forg ^grafi ^grafic
            ^grafico$ ^grap ^graph ^guida ^guida$ ^hard$ ^impo ^impor ^import ^index$ ^internal ^internal$ ^isn$
            ^issue$ ^jede ^jumps ^jumps$ ^larg ^lines ^lines$ ^linu ^linux ^linux$ ^mark ^message$ ^migratio ^mock ^n$
            ^neve ^never ^never$ ^opens$ ^overlaps ^overlaps$ ^para ^parp ^parpa ^parpad ^press$ ^previ ^previe
            ^preview$ ^reads ^reads$ ^rech ^recieve$ ^refund$ ^refunds$ ^rege ^relo ^repe ^repl ^replac ^rich ^richt
            ^schem ^schema ^schema$ ^scher ^scherm ^sesi ^sql$ ^storyb ^storyboo ^storybook$ ^są$ ^tela$ ^transl
            ^translat ^two$ ^tylk ^tylko ^tylko$ ^typo ^under$ ^vari ^versio ^view ^votr ^votre ^votre$ ^width$ ^wie$
            ^word ^wykr ^wykre ^wykres ^you$ ^zeil ^zeile ^zoom$ ^zsh$ ^версия ^версия$ ^не$ ^подп ^подпи ^подпис
            ^экрана$ as_nan ci_cache e_e for_each input_should invoic_pdf is_too isn_t it_is its_own make_the npm_run
            on_window para_el pour_le the_footer the_grey the_messag the_refund the_tax the_two コン ヘ 位 充 列 反 器
            对 小屏 按 放 格 置 补充 表示 辑 関 関数 상이 시 오 줄 짐 콘
        """,
        -35: """
            ^abrir$ ^accents$ ^aggio ^aggior ^aggiorna ^as$ ^auth$ ^avatar$ ^badg ^badge ^badge$ ^benchm ^benchmar
            ^besc ^besch ^beschr ^bien ^blank$ ^cara ^carac ^caract ^carri ^carrit ^carrito$ ^clip ^cmd$ ^como ^como$
            ^cong ^crlf ^crlf$ ^csv$ ^côté ^côté$ ^data$ ^describe ^digita ^digitar$ ^disabled ^disabled$ ^disco ^don$
            ^dot$ ^dropp ^em$ ^end$ ^enou ^enoug ^enough ^enough$ ^erreur$ ^error$ ^errore ^errore$ ^etic ^etich
            ^etiche ^etichett ^etichetta$ ^excl ^exclu ^falsc ^falsch ^fixe ^fixt ^fixtu ^fixtur ^forgot$ ^fps$ ^funct
            ^functi ^function ^gelö ^gelös ^gelösc ^gelöscht ^genera ^graphi ^graphiqu ^graphique$ ^gráfico$ ^handled$
            ^hangs ^hangs$ ^hard ^intl ^intl$ ^kb$ ^keyb ^keybo ^keyboa ^keyboard ^keyboard$ ^le$ ^leav ^lege ^lint$
            ^long$ ^looks ^looks$ ^loop ^makes ^makes$ ^manc ^manca ^manca$ ^manq ^manqu ^min$ ^minia ^miniat
            ^miniatur ^mock$ ^moda ^mostra$ ^nach ^neede ^needed ^needed$ ^nel$ ^noth ^nothi ^nothin ^nothing$ ^onli
            ^onlin ^online ^online$ ^ouve ^ouver ^ouvert ^overv ^overvi ^overview ^overview$ ^pant ^panta ^pantal
            ^pantalla ^pantalla$ ^parpadea ^parpadea$ ^part$ ^permissions$ ^picture$ ^plant ^poli ^poza ^poza$ ^props
            ^props$ ^przed ^przed$ ^przew ^przewi ^przy$ ^pt$ ^quiz$ ^recu ^relati ^resta ^rewrite$ ^richti ^safa
            ^safar ^safari ^safari$ ^schl ^schlü ^schlüs ^schlüsse ^set$ ^sin$ ^smal ^small ^spac ^space ^spring ^stac
            ^stack ^stack$ ^stopc ^stopce ^stopce$ ^summe ^só$ ^time ^tippe ^tradu ^trai ^transi ^transiti
            ^transition$ ^typi ^typin ^typing ^typing$ ^umlauts$ ^under ^unit$ ^va$ ^verd ^video ^vors ^vorsc ^vorsch
            ^window$ ^work ^wydr ^wydru ^wydruk ^wydruku$ ^yml$ ^zu$ ^верс ^верси ^видн ^ключ ^мерц ^мерца ^подск
            ^подска ^подсказк ^сохр ^сохра ^сохран ^уход ^цвет ^цвета add_a al_abrir are_not côté_client das_event
            de_compar don_t est_vide faute_dans in_this in_with is_cut la_tabla le_graphi le_mail logo_is mail_de
            move_the no_change no_gráfic no_se object_fit page_has parpad_al progre_bar replac_the reset_zoom
            shows_the tabla_de takes_second the_coupon the_first the_list the_parser the_quiz under_the w_stopce
            wait_for when_a です なる る アイ アイコ イコ イコン ビ ビュ ビュー プ ュ ュー 上 件 例 元测 元测试 列表
            别 单元 单元测 右 听 幕 手順 文字 書 权 模 测 测试 的 监 监听 缩 试 错 问 问题 결 결제 글자가 날 날짜 됨
            드 라짐 보임 사라 사라짐 새로 아이콘 이콘 자가 잘림 재 화
        """,
        -30: """
            ^actio ^action ^alph ^alpha ^alphab ^anzeige$ ^aria ^aria$ ^atten ^attend ^aufs ^behav ^behavi ^behaviou
            ^behaviour$ ^bitm ^bitma ^bitmap$ ^botó ^botón ^botón$ ^brac ^brack ^bracke ^branch$ ^broken ^broken$
            ^busc ^busca ^calcul$ ^caracter ^caracteres$ ^carre ^ch$ ^chart ^chil ^child ^chiu ^chiud ^chiude ^chro
            ^chrom ^chrome ^chrome$ ^clear ^compa ^comple ^component$ ^compos ^dark ^dark$ ^dela ^delay ^deleted$
            ^dell ^dependen ^deps ^deps$ ^desi ^desig ^design ^destroy$ ^disa ^disab ^disabl ^doesn ^doesn$ ^draw$
            ^each ^each$ ^earl ^early ^early$ ^elem ^eleme ^elemen ^element$ ^emoji$ ^empty ^encrypti ^encryption$
            ^even ^exclui ^excluir$ ^expected ^expected$ ^f$ ^fals ^fehl ^file ^filtro ^final ^flickers ^flickers$
            ^formatar ^formatte ^formatter$ ^fuss ^group ^group$ ^hang ^highlight$ ^hilf ^hilfe ^hilfe$ ^hintergr
            ^hove ^hover ^hover$ ^if$ ^ignored$ ^ignores$ ^indic ^init ^invo ^ipho ^iphon ^iphone ^iphone$ ^just
            ^just$ ^já$ ^knop ^knopf ^knopf$ ^lade ^lett ^letters$ ^ligh ^light ^lign ^ligne ^ligne$ ^listen ^listener
            ^locale$ ^machines ^machines$ ^manqua ^manquant ^merk ^merke ^merken ^merken$ ^migraz ^migrazio
            ^migrazione$ ^modal ^modal$ ^module ^module$ ^monta ^moun ^mount ^movi ^nie$ ^nomb ^nombr ^nombre
            ^notification$ ^offer ^offl ^offli ^offlin ^offline$ ^open ^ordr ^ordre ^ordre$ ^pagam ^page ^permission$
            ^phones ^phones$ ^pl$ ^places ^places$ ^plik ^position ^position$ ^pozi ^pozio ^poziom ^pric ^prices
            ^prices$ ^produkt$ ^prop$ ^prue ^prueb ^prueba ^prueba$ ^przycisk$ ^purge$ ^pági ^págin ^página ^página$
            ^recht ^regex ^regex$ ^relat ^reload$ ^reste ^retry ^retry$ ^rtl$ ^résu ^résul ^résult ^résultat
            ^résultat$ ^schermat ^schermata$ ^schr ^screensh ^seconds$ ^seite$ ^selected ^selected$ ^shad ^shado
            ^shadow ^shadow$ ^side ^starts$ ^statu ^status ^status$ ^stic ^stick ^sticky ^sticky$ ^stren ^streng
            ^strength ^strength$ ^stri ^stro ^stron ^styl ^style ^summa ^summar ^summary$ ^symb ^symbo ^symbol
            ^tablet$ ^ten$ ^teste$ ^tick$ ^times$ ^tippf ^tippfe ^tippfehl ^tippfehler$ ^tokeni ^tokenize ^tolt ^tolto
            ^tolto$ ^top$ ^traili ^trailing ^trailing$ ^util$ ^varia ^vien ^viene ^viene$ ^volume$ ^wait ^whic ^which
            ^which$ ^whit ^white ^white$ ^widg ^widge ^widget ^widget$ ^wywa ^wywal ^zasła ^zasłan ^zasłania
            ^zasłania$ ^zeig ^zeigt ^zeigt$ ^zweim ^zweima ^zweimal$ ^данн ^данны ^данные ^данные$ ^ключ$ ^назв ^назва
            ^назван ^обновл ^опеч ^опеча ^опечат ^опечатка ^опечатка$ ^по$ ^шири ^ширин a_click after_the animat_of
            benchm_for bump_eslint calcul_de can_t ci_logs de_caract de_exclui del_campo del_carrit doesn_t el_botón
            fehlt_auf forget_the from_the how_to in_three is_empty is_enough json_schema la_pantal literó_w manca_il
            number_for off_in off_on on_ci one_has page_de passwo_streng per_run s_only scroll_positi seed_local
            send_the show_a się_na so_that sql_commen stack_trace stay_as sur_la sur_mobile tax_report test_delete
            test_user the_date the_delete the_dialog the_login the_number the_sessio the_sideba the_sign to_util
            trace_when until_reload unused_import upgrad_to url_and warnin_for which_is with_k works_with z_index い
            と右 のア のアイ み ると ると右 ォ カー タン ダ フォ ボタ ボタン ラ ルの ロー ン ー 下 两 两次 价格 再
            删除 加载 向 在小 在小屏 成 换成 权限 标签 求書 界 第 签 請求書 载 边界 逻 逻辑 颜 颜色 가끔 끔 때 로그
            리에 삭재 삭제 성 스트가 컬 트 트가 포
        """,
        -25: """
            ^abge ^abges ^abgesc ^abgeschn ^abgeschnitten$ ^accen ^accent ^acti ^action$ ^admin$ ^aggi ^alloc ^alloca
            ^alphabét ^alphabétique$ ^alth ^altho ^althou ^although ^although$ ^am$ ^announced$ ^arch$ ^arrow$ ^arrows
            ^arrows$ ^atte ^attendu$ ^auto ^bench$ ^bouto ^bouton ^bouton$ ^br$ ^carrel ^carrello ^carrello$ ^cartel
            ^cartella ^cartella$ ^cat$ ^cell ^chan ^chang ^change ^changes$ ^chart$ ^chok ^choke ^chokes ^chokes$
            ^code$ ^come ^commande$ ^conso ^consol ^console$ ^contraseñas$ ^copy ^correctl ^correctly$ ^delete$ ^desa
            ^desal ^desali ^desalinh ^desalinhado$ ^dest ^disp ^display$ ^domin ^dopo ^dopo$ ^drag ^drag$ ^droi ^débo
            ^débor ^débord ^déborde$ ^eart ^earth ^earth$ ^elli ^ellip ^ellips ^ellipsis ^ellipsis$ ^else ^else$ ^er$
            ^ergä ^ergän ^ergänz ^erste ^es$ ^esem ^esemp ^esempi ^esempio$ ^evento ^evento$ ^expe ^expec ^expect
            ^extrac ^extract$ ^fall ^favo ^filtros$ ^fixture$ ^flat ^flicker$ ^forgets$ ^fs$ ^generate ^generated$
            ^gira ^girar ^girar$ ^gives ^gives$ ^hide$ ^hints ^hints$ ^hook$ ^hour$ ^ignore$ ^inpu ^input ^invec
            ^invece ^invece$ ^issu ^issue ^json ^json$ ^jump$ ^klient$ ^komu ^lapt ^lapto ^laptop ^laptop$ ^largo
            ^last$ ^lazi ^lazil ^lazily ^lazily$ ^leak$ ^leave ^leere ^legen ^legend ^legend$ ^lette ^letter ^like$
            ^loop$ ^lowe ^lower ^lower$ ^machi ^machin ^mapp ^marker ^marker$ ^mens ^mensa ^mentions ^mentions$
            ^migration$ ^minus ^minus$ ^misse ^misses ^misses$ ^names ^nombre$ ^nubm ^nubme ^nubmer ^nubmer$ ^openi
            ^openin ^opening$ ^othe ^other ^outp ^outpu ^output ^output$ ^paie ^paiem ^paieme ^paiement ^paiement$
            ^patc ^patch ^patch$ ^path ^path$ ^permissõ ^permissões$ ^phot ^photo ^pixe ^pixel ^pixel$ ^planta
            ^plantage ^plantage$ ^posit ^positi ^precios$ ^prezzo ^prezzo$ ^printe ^priv ^priva ^przez ^przez$ ^quand
            ^ready ^ready$ ^rechnungsvorschau$ ^reco ^redim ^redime ^redimens ^refe ^refer ^refere ^referenc
            ^reference$ ^refuso ^refuso$ ^rela ^remains$ ^repea ^repeat ^replace$ ^repor ^report ^rese ^reset ^reset$
            ^resolve$ ^reste$ ^retri ^retrie ^richtig$ ^role$ ^rows ^rows$ ^rule ^seit ^seite ^sesio ^sesion ^shor
            ^short ^sinc ^since ^since$ ^slider ^slides ^slides$ ^sorte ^sorted ^sorted$ ^sortieru ^sortierung$ ^start
            ^start$ ^strip ^surf ^surfa ^surfac ^surface$ ^swapp ^swappe ^swapped$ ^switchin ^switching$ ^telefoni
            ^telefonie$ ^though$ ^thread$ ^tito ^titol ^titolo ^titolo$ ^touc ^touch ^trail ^tuto ^tutor ^tutori
            ^tutorial ^tutorial$ ^twic ^twice ^twice$ ^ui$ ^undef ^undefi ^undefine ^undefined$ ^upda ^updat ^userse
            ^userserv ^userservice$ ^usuń ^usuń$ ^vent ^visib ^volume ^vorschau ^vorschau$ ^vue$ ^weil ^weil$ ^wrap
            ^zeile$ ^è$ ^ícon ^ícone ^ícone$ ^взят ^взять ^взять$ ^измен ^кажд ^кажды ^коло ^колон ^обно ^обнов
            ^обновлен ^оста ^подст ^подста ^рабо ^работ ^работа ^работает ^работает$ ^роле ^ролей ^ролей$ ^сорт ^сорти
            ^сортир ^сортиров ^списка ^списке ^списке$ ^стра ^стран ^страни ^ширина ^ширина$ a_file a_pictur a_second
            a_y after_charac after_switch and_show are_in are_swappe at_and button_stays chokes_on column_header
            column_in con_nombre cut_off de_paieme de_precio de_px delete_accoun descri_the does_the débord_sur
            earth_does empty_state for_the hard_to hide_it i_d icône_de im_editor invece_di is_alread is_called is_not
            is_right l_icône link_to liste_des login_form make_clean messag_when modal_de my_laptop na_telefo
            nel_titolo nella_guida no_behavi nothin_to on_earth on_every openin_a ordre_alphab overla_in per_la
            pl_json przyci_usuń refuso_nel select_relate should_change should_have show_the since_we sortie_nach
            tela_de tests_for the_image the_langua the_manual the_run the_select the_tab times_out to_test
            tylko_klient unit_tests usar_o va_a vat_nubmer where_the why_on with_two wrong_class в_списке не_работа く
            けで だけで つ にな になる の文 れてい ジの ード ール 位置 余 余白 写 函 函数 切れ 别字 削 定画 定画面 常
            手 数 文档 明 景 期待 标题错 档 滚 白 管理 缩放 背 背景 設定 設定画 身 边 错别 错别字 順 题错 题错别 까 딩
            라 력 로 로딩 롤 림 목록 번 빼 스크 스크롤 실패 역 이면 이콘이 인 입력 있어 제 줄이 창 콘이 크롤 패 표
            하면 한
        """,
        -20: """
            ^account$ ^acei ^aceit ^aceita ^aceita$ ^admi ^admin ^align$ ^aligné ^ambi ^ambie ^ambien ^ambiente
            ^ambiente$ ^ancho ^archived ^archived$ ^aren ^asyn ^async ^async$ ^auth ^benchmark$ ^bold ^brackets
            ^brackets$ ^brak ^brak$ ^bran ^branc ^branch ^broke$ ^bumps ^bumps$ ^cabe ^cad$ ^cade ^calls ^calls$ ^canv
            ^canva ^canvas ^canvas$ ^centr ^centre ^change$ ^chor ^clam ^clamp ^class ^clicks ^clicks$ ^client$ ^co$
            ^colou ^colour ^colour$ ^componente$ ^confirmation$ ^conte ^contrase ^country$ ^dall ^dalla ^dalla$ ^dash$
            ^datum$ ^debe ^debe$ ^debo ^debou ^deboun ^debounce ^debounce$ ^decimal$ ^dedu ^dedup ^delle ^delle$
            ^dependency$ ^design$ ^details$ ^diagr ^diagra ^dock ^docke ^docker ^docker$ ^doku$ ^dokum ^dokume ^eins
            ^empt ^empty$ ^ende$ ^espe ^esper ^espera ^esperado ^esperado$ ^est$ ^except$ ^exists ^exists$ ^expla
            ^explai ^explain$ ^faile ^failed ^failed$ ^fakt ^faktu ^faktur ^falsch$ ^falt ^falta ^farb ^farbe ^farbe$
            ^fica ^finds ^finds$ ^flag$ ^flex ^flex$ ^foco ^foco$ ^fora ^forge ^forget ^foru ^forum ^forum$ ^frap
            ^frapp ^frappe ^frappe$ ^galle ^galler ^gallery$ ^gena ^genau ^germ ^germa ^german ^german$ ^give ^gmai
            ^gmail ^gmail$ ^grep ^grep$ ^hand$ ^hi$ ^hides ^hides$ ^hourl ^hourly ^hourly$ ^iden ^ident ^identi
            ^identica ^identical$ ^init$ ^inst ^interm ^invol ^involv ^involved ^involved$ ^ipad ^ipad$ ^itse ^itsel
            ^itself ^itself$ ^kass ^kasse ^kassen ^kg$ ^klic ^klick ^klick$ ^leak ^liste$ ^locals ^localsto
            ^localstorage$ ^logowania$ ^loses ^loses$ ^lost ^lost$ ^max$ ^memo ^mete ^meter ^meter$ ^monitor$ ^montan
            ^montant$ ^musi ^music ^music$ ^módu ^módul ^módulo ^módulo$ ^móvi ^móvil ^names$ ^nichts ^nichts$ ^offe
            ^options$ ^other$ ^outro ^outros ^outros$ ^pagame ^pagament ^parag ^paragr ^paragrap ^parents$ ^partic
            ^passo ^passos ^passos$ ^perd$ ^pict ^pictu ^pictur ^plur ^plura ^plural ^plural$ ^poka ^pokaz ^pokazu
            ^pokazuje ^pokazuje$ ^pour ^pour$ ^pre$ ^prel ^prelo ^preloa ^preload$ ^prun ^prune ^prune$ ^quand$ ^queri
            ^querie ^queries$ ^quiet ^quiet$ ^rand ^rechnungsliste$ ^red$ ^redr ^redra ^redraw ^relate ^related$
            ^reloa ^reload ^removed$ ^render$ ^reso ^resol ^rest ^restar ^resto ^retin ^retina ^retina$ ^rien ^rien$
            ^righ ^right ^right$ ^roda ^ru$ ^rules ^rules$ ^runn ^rôle ^rôles ^rôles$ ^schm ^schma ^schmal
            ^screenshot$ ^secr ^secre ^secret ^sect ^secti ^sectio ^section$ ^selector ^selector$ ^sensi ^shortcut$
            ^shorte ^sideb ^sideba ^sidebar$ ^slider$ ^small$ ^snap ^sortie ^space$ ^spen ^sprin ^stays ^stays$ ^stehe
            ^stehen ^stehen$ ^story$ ^strg ^strg$ ^strin ^string ^strong ^strong$ ^strony ^strony$ ^stuc ^stuck
            ^stuck$ ^subi ^svgs ^svgs$ ^swap$ ^tej$ ^teks ^tekst ^tema ^temp$ ^templ ^templa ^template ^templates$
            ^terminal$ ^teste ^thou ^tippen ^tippen$ ^title$ ^toca ^tokenizer$ ^touche ^trac ^trace ^trace$ ^traini
            ^training ^tree ^tree$ ^trop$ ^tropp ^troppo ^troppo$ ^try$ ^tłum ^tłuma ^tłumac ^tłumacze ^unte ^update$
            ^updated$ ^utente ^utente$ ^video$ ^videos ^videos$ ^visibl ^visible$ ^voic ^voice ^voiceo ^voiceove
            ^voiceover$ ^wait$ ^watc ^watch ^wenn ^wenn$ ^went ^went$ ^works$ ^wykres$ ^wysz ^wyszu ^wyszuk ^wyszukiw
            ^x$ ^zebr ^zebra ^zebra$ ^всег ^всегд ^всегда ^всегда$ ^доба ^добав ^добави ^добавить ^добавить$ ^изме
            ^испо ^испол ^исполь ^название ^название$ ^ниче ^ничег ^ничего ^ничего$ ^ночь ^ночью ^ночью$ ^окна ^окна$
            ^отст ^отсту ^отступ ^отступ$ ^сдви ^спра ^справ ^табл ^табли ^таблиц a_bug a_change a_dash aligné_avec
            am_ende and_drop and_get are_missin are_the arrow_keys arrows_in as_they at_once be_the behavi_change
            behind_the beim_tippen beim_öffnen both_are by_hand comput_from contri_guide csv_export de_factur
            drop_down drop_shadow el_modo error_for exampl_for export_is file_is file_only from_both front_of
            guide_mentio has_no histor_table if_it import_in in_every in_front in_german in_rtl in_safari into_its
            is_missin key_press la_colonn le_calcul le_focus le_messag list_should manca_la map_flicke mentio_the
            migrat_guide migrat_md missin_for moved_to na_tela names_push of_as of_the of_with orders_page os_outros
            output_of page_and pas_aligné passwo_field passwo_link pay_button przewi_w push_the remove_unused s_no
            s_of s_shown sale_de se_sale search_box should_read show_three shows_one sign_in size_of spinne_on
            stays_visibl still_says stop_at string_are t_be text_of the_addres the_admin the_banner the_billin
            the_format the_invoic the_model the_name the_orders the_passwo the_player the_same the_thread the_timezo
            the_total them_in to_do to_print toolti_for twice_by und_die until_the uses_the va_tolto webhoo_to what_i
            what_it when_it withou_a à_l ícone_de отступ_px かな かない がぼ がぼや が逆 が逆向 ける されな ず で直
            のみ のロ のロゴ の変 の変更 ぼ ぼや ぼやけ やけ やける れて れな れない イン画 ォン ォント ガ コ コンを
            ゴ ゴが ゴがぼ タンの ッジ デ トが バッジ フォン ューア ロゴ ロゴが ロッ ロール ンの ン画 ン画面 ーア 不清
            中文 住 写错 削除 卡 发 名 名の 名の変 向き 图表 左 序 底部 度 式 式下 待 截 支付 文档里 标题 档里 模式
            模式下 步 没有 目录 看不 看不清 端 第一 被 超 逆 逆向 逆向き 里的 面のロ 되 들 면 문서에 사용하 새 서에
            선택 수정 실 용하 우편 우편번 첫 택 테 편번 편번호 폭
        """,
        -15: """
            ^abie ^abier ^abiert ^abierta$ ^affic ^affich ^ajou ^ajout ^ajoute ^ajouter$ ^alfa ^anch ^anchor ^animac
            ^animació ^animación$ ^anot ^anoth ^anothe ^another$ ^asse ^attached ^attached$ ^attr ^attri ^attrib
            ^attribut ^atual ^ausga ^ausgab ^ausgabe$ ^barra ^barra$ ^benutzen ^benutzen$ ^bild ^blocks ^blocks$
            ^blurr ^blurry ^blurry$ ^book$ ^boxe ^boxes ^boxes$ ^breaks ^breaks$ ^bric ^brich ^bricht ^bricht$ ^c$
            ^calculat ^calculation$ ^called ^called$ ^cambia$ ^camp ^campo ^cart ^cas$ ^case ^caso ^cdn$ ^cell$ ^celu
            ^celul ^celula ^celular$ ^center ^checko ^checkout ^checkout$ ^choo ^choos ^clear$ ^clic$ ^comman ^comme$
            ^compl ^composan ^composant$ ^compose$ ^compu ^comput ^confirma ^connex ^connexio ^connexion$ ^converte
            ^converter$ ^cpf$ ^currency ^currency$ ^das$ ^dem$ ^demo ^demo$ ^dependencies$ ^deprecationwarning$ ^desp
            ^despl ^detr ^detrá ^detrás ^detrás$ ^dial ^dialo ^dialog ^dialog$ ^direct ^dist ^docst ^docstr ^docstrin
            ^docstring$ ^documentar$ ^doppe ^doppel ^doppelt$ ^down$ ^drawn ^drawn$ ^droit ^droits ^droits$ ^déca
            ^décal ^décalé ^décalée$ ^ekra ^ekran ^ekrani ^ekranie$ ^emojis ^emojis$ ^equa ^equal ^equal$ ^erra ^errad
            ^errada ^errada$ ^erre ^erreu ^erreur ^event ^exist$ ^falta$ ^favou ^favour ^favourit ^favourite$ ^fica$
            ^fichi ^fichie ^fichier$ ^fila ^fila$ ^fit$ ^flag ^flat$ ^forgo ^forgot ^forma ^fron ^front ^gall
            ^generato ^generator$ ^git$ ^got$ ^grafa ^grafan ^grafana$ ^grid ^grid$ ^happ ^headi ^headin ^heig ^heigh
            ^height ^height$ ^help$ ^helpers$ ^hook ^house$ ^icono ^icono$ ^input$ ^insid ^inside ^inside$ ^inva
            ^inval ^invali ^invoi ^invoic ^invoices ^invoices$ ^iterate$ ^jan$ ^jedem ^jedem$ ^jest ^jest$ ^join$ ^js$
            ^keeps ^keeps$ ^keys ^kluc ^klucz ^klucz$ ^kole ^kolej ^kolejn ^kolejnoś ^kolejność$ ^la$ ^layo ^layou
            ^layout ^layout$ ^leave$ ^leere$ ^letz ^letzt ^letzte ^liegt ^liegt$ ^lieu ^lieu$ ^link ^linte ^listener$
            ^locall ^locally$ ^lock ^lune ^líne ^línea ^mach ^made ^made$ ^mensag ^mensagem ^mensagem$ ^migrations$
            ^model ^mostr ^mostra ^même ^même$ ^móvil$ ^nega ^negat ^negati ^ness ^nessu ^nessun ^neu$ ^nich ^nicht
            ^norm ^norma ^normal ^numer$ ^oben ^oben$ ^odpo ^odpow ^odpowi ^odpowied ^odpowiedzi$ ^opens ^opti ^optio
            ^option ^orm$ ^oscu ^oscur ^oscuro ^oscuro$ ^osta ^ostat ^ostatn ^p$ ^padd ^paddi ^paddin ^padding$
            ^panier$ ^pape ^papel ^papele ^papelera ^papelera$ ^paragraphs$ ^pass$ ^photo$ ^pipe ^plik$ ^polic ^porq
            ^porqu ^porque ^porque$ ^potr ^potrz ^potrze ^potrzebn ^potrzebne$ ^pr$ ^precisa$ ^printer$ ^privac
            ^privacy$ ^prob ^prze ^przewija ^pure ^purg ^purge ^queda$ ^quot ^quote ^r$ ^rais ^raise ^raise$ ^razy
            ^razy$ ^reason$ ^reche ^recher ^recherch ^recherche$ ^rechte ^recie ^reciev ^reduce$ ^refus ^registered$
            ^release$ ^reloj ^reloj$ ^removes$ ^remp ^rempl ^rena ^renam ^rename ^rename$ ^repeat$ ^repro ^reprod
            ^reproduc ^resi ^resiz ^resize ^resolv ^restor ^rewr ^rewri ^rewrit ^rola ^roll ^rolle ^ruff ^ruff$ ^runne
            ^runner ^sbag ^sbagl ^sbagli ^sbagliat ^scan$ ^screen$ ^scrollin ^scrolling$ ^sees ^sees$ ^senh ^senha
            ^senha$ ^sente ^senten ^sentence ^separato ^separator$ ^servic ^shortc ^shortcut ^should$ ^sich$ ^slee
            ^sleep ^someo ^someon ^someone$ ^sorti ^spaces ^spaces$ ^spec$ ^stop ^string$ ^subir ^subir$ ^subj ^subje
            ^subjec ^subscrip ^subscription$ ^sugg ^sugge ^sugges ^sulla ^sulla$ ^tablet ^tabu ^tabul ^tabula ^telas
            ^telas$ ^tele ^telef ^telefo ^tema$ ^term ^texte ^texte$ ^the$ ^theme ^theme$ ^threa ^thread ^three
            ^three$ ^times ^training$ ^translated$ ^tri$ ^trun ^trunc ^trunca ^truncate ^truncate$ ^tsx$ ^tty$ ^typee
            ^typeer ^typeerro ^typeerror$ ^unter ^upgr ^upgra ^upgrad ^utils ^utils$ ^valu ^value ^values ^values$
            ^vazi ^veze ^vezes ^vezes$ ^visu ^visua ^visual ^visual$ ^volu ^volum ^wante ^wanted ^wanted$ ^watch$
            ^weit ^weite ^weiter ^wert$ ^wher ^where ^where$ ^wide ^worked ^worked$ ^wrapp ^wrappe ^wraps ^wraps$
            ^yet$ ^your ^zoomi ^zoomin ^zooming$ ^zweit ^zweite ^édit ^édite ^éditeu ^éditeur$ ^öffn ^öffne ^должно
            ^должно$ ^если ^если$ ^из$ ^как$ ^колонк ^колонки$ ^комп ^меню ^меню$ ^открыв ^открывае ^открывается$
            ^пере ^перево ^сбра ^сбрас ^сбрасы ^сбрасыва ^сбрасывается$ ^тест ^удале ^удален ^экране ^экране$ a_fresh
            a_note a_tty add_dark align_items alphab_in an_emoji an_hour and_i and_test are_cut au_lieu auf_dem
            author_field bar_in bei_jedem build_script but_the by_one crash_when create_a dark_mode delete_key
            detrás_del do_mês docs_how du_panier dwa_razy el_icono em_telas en_json en_móvil end_of errada_no every_s
            exists_in fails_on fixed_props for_attach for_this forgot_passwo fr_json gives_column guarda_en handle_is
            help_text hints_overla how_many icono_de icône_du il_manque in_docs in_gmail in_tests in_wrong index_page
            invoic_is iphone_se is_opened it_so iterat_over key_hints kill_the l_éditeu la_animac la_cartel la_página
            la_recher last_row le_bouton le_compos lexer_token lieu_de links_to log_the loses_its missin_in
            modo_oscuro move_it moves_the nach_oben name_in next_to no_cambia non_si nur_anzeig nur_das off_by
            off_screen on_mobile on_small page_of paymen_method picker_are plural_in positi_sticky price_column
            put_the query_log schema_docs senten_and sessio_timer sign_up since_the spring_beim starts_at tag_icon
            the_cache the_cdn the_chart the_ci the_commen the_compon the_debug the_index the_logo the_mail the_paymen
            the_pdf the_place the_plural the_price the_print the_produc the_reques the_right the_screen the_secret
            the_top the_upgrad the_zone throug_the tmp_path token_positi user_name when_there wie_bei ya_no
            должно_быть ничего_не опечат_в いる が崩 が崩れ され ずれ ている のフ のフォ の列 や れる クロ クロー
            コンが スクロ ソ テス テスト プレ プレビ レビ レビュ ンを ージの 一行 事 付 价格标 像 写错了 删 功 化 单
            器里 图标和 崩 崩れ 底 张 成功 数が 显 書一 書一覧 有问 有问题 望 权线 果 标和 格标 格标签 正 求書一 没问
            没问题 的那 直し 直して 示さ 示され 管 結 結果 给 表示さ 設 辑不 込 过 过期 进 逻辑不 那 错了 降 限 깨
            내역 뉴 도록 디 러 리 메뉴 스트 에서 인트 잘립 잘립니 테스 테스트 포인 포인트 확 확인 환
        """,
        -10: """
            ^adju ^adress ^affi ^aligne ^aligned$ ^angl ^angla ^anglai ^anglais$ ^appa ^archivos ^archivos$ ^asset
            ^atta ^attac ^attach ^atuali ^atualiza ^atualizar$ ^avec ^avec$ ^bars ^bars$ ^bleibt ^bleibt$ ^bloc ^block
            ^blur ^botto ^bottom ^bottom$ ^bout ^cale ^calen ^calend ^case$ ^ce$ ^chf$ ^choose ^clea ^coma ^coman
            ^comand ^comma ^commi ^commit ^confir ^conten ^correc ^counter$ ^coupé ^coupé$ ^cover$ ^create$ ^datu
            ^datum ^domi ^eine ^eliminar$ ^en$ ^ergänzen ^ergänzen$ ^esc$ ^even$ ^exce ^export$ ^fatu ^fatur ^fatura
            ^fecha ^fecha$ ^fine ^fine$ ^folde ^folder ^folder$ ^folders$ ^foun ^found ^found$ ^function$ ^handl
            ^handle ^happe ^happen ^heade ^header ^header$ ^intermit ^intermitente$ ^leavi ^leavin ^leaving$ ^leer
            ^liefersc ^lieferschein$ ^light$ ^like ^limpi ^limpia ^limpiar$ ^links ^links$ ^lleg ^llega ^load ^loadi
            ^loadin ^loading$ ^loads ^loads$ ^lock$ ^logs ^logs$ ^man$ ^memor ^memory ^memory$ ^merge$ ^model$ ^mone
            ^monthl ^monthly$ ^moved ^moved$ ^nest ^pack ^packa ^packag ^package$ ^pagamento$ ^paramete ^paren ^parent
            ^passe ^posi ^powiadomienia$ ^prez ^prezz ^printed$ ^prix ^prix$ ^profile$ ^punt ^pust ^rabatt ^rando
            ^random ^random$ ^reas ^reaso ^reason ^recor ^resize$ ^resu ^resul ^result ^reti ^rm$ ^rota ^rotat ^ruol
            ^ruolo ^ruolo$ ^salv ^salva ^schre ^schrei ^script$ ^scur ^scuro ^scuro$ ^seco ^secon ^second ^secret$
            ^secrets$ ^sent ^shap ^shape ^shif ^shift ^shift$ ^sola ^sort$ ^spal ^spalt ^spalte ^spam ^spam$ ^spel
            ^spell ^spelling$ ^style$ ^su$ ^subject$ ^tabela$ ^tabs ^tabs$ ^tag$ ^termi ^termin ^texto ^texto$ ^thoug
            ^though ^timez ^timezo ^timezone ^timezone$ ^tmp$ ^todo$ ^train ^unkn ^unkno ^unknow ^unknown$ ^unrea
            ^upgrade$ ^verg ^verge ^verges ^vergesse ^vergessen$ ^vez$ ^volta ^warning$ ^wert ^wide$ ^woul ^would
            ^would$ ^älte ^älter ^écra ^écran ^écran$ ^über ^быть ^быть$ ^всё$ ^же$ ^клиентов ^клиентов$ ^нет$ ^перев
            ^пользо ^пользова ^скри ^сумма ^сумма$ a_favour alread_in by_the con_la dans_fr dans_la den_rabatt
            desali_no docker_compos docs_genera en_anglai en_el end_to est_coupé exampl_in export_button extrac_the
            für_den icon_is id_in in_dev in_paymen in_test is_listed it_to key_repeat la_papele list_of lista_de
            login_page member_list missin_on names_in never_stops of_it panier_est passwo_verges price_tag prima_del
            px_wide roundi_helper s_a screen_shows scroll_to sessio_list t_sorted table_of tema_scuro test_end
            test_interm tests_für text_isn the_member the_one the_roundi the_search the_text the_unit to_end to_rotate
            toolti_of typo_in up_the used_by we_have white_space wraps_in écran_de だけ ァ ス テ ファ ロ ント 一样 优
            优惠 优惠券 体 到底 单没 卡片 即 只 在 大 惠 惠券 文言 样 片 目 重な 검 검색 록 만 메 목 불 색상 수 완 응
            입 출 호출
        """,
        -5: """
            ^after$ ^are$ ^auto$ ^być$ ^copy$ ^cras ^crash ^crash$ ^des$ ^disc ^fold ^keys$ ^leaves ^leaves$ ^link$
            ^mini ^mode ^mont ^most ^não$ ^over$ ^pagina$ ^panie ^panier ^plat ^prec ^price ^prints ^prints$ ^quer
            ^rechnu ^rechnung ^session$ ^shou ^shoul ^should ^sich ^so$ ^step$ ^strings$ ^tabla ^tabla$ ^unread
            ^upload$ ^visi ^z$ ^za$ ^à$ at_the number_of should_be the_docs が二 される 券 后 和 时 마 상 습 습니
        """,
        0: """
            ^last ^make ^on$ ^tabl ^table$ さ
        """,
    },
}
