"""Parts of words that go with a person's decision, by category, and those that go with plain work.

Logistic regression with L2 over the labelled tickets, by tests/data/tickets/fit.py; the names are those of
`features.parts_of`, the numbers hundredths of a weight, the category the one whose tickets have the part most often
(any: all of them alike; none: plain work).
Parts of weight 0 count for the length of a text only. Written by that program; not to be edited by hand.
"""

from __future__ import annotations

WORDS: dict[str, dict[int, str]] = {
    "schema": {
        135: """
            ^per$
        """,
        120: """
            ^id$
        """,
        105: """
            ^стар
        """,
        90: """
            ^store
        """,
        85: """
            ^arti
        """,
        75: """
            ^cada ^ein$
        """,
        70: """
            ^null ^store$ ^сейч ^сейча ^сейчас ^сейчас$
        """,
        65: """
            ^best ^database$ ^стары ^хран of_a
        """,
        60: """
            ^db$ ^gli$ ^tags ^tags$
        """,
        55: """
            ^bish ^bishe ^bisher ^bisher$ ^conv ^mysq ^mysql ^mysql$ ^save$ make_it
        """,
        50: """
            ^artic ^deli ^lang ^need$ ^save index_on
        """,
        45: """
            ^beco ^becom ^become ^deliv ^delive ^künf ^künft ^künfti ^künftig$ ^pole ^princ ^princi ^principa ^храни
            ^хранит utf_mb
        """,
        40: """
            ^actu ^conve ^conver ^dziś ^dziś$ ^et$ ^jetz ^kept ^kept$ ^prese ^presen ^spei ^speic ^speich ^speicher
            ^speichern$ ^utenti ^utenti$ up_to 字段 기존
        """,
        35: """
            ^artik ^artike ^audi ^auftrag$ ^aujo ^aujou ^aujour ^aujourd$ ^devi ^hui$ ^lists ^lists$ ^mehr ^nick
            ^original$ ^present$ ^primary$ ^stoc ^stock ^stock$ ^tabe ^tabel ^thos ^those ^those$ ^titles ^titles$
            ^una$ aujour_hui old_ones s_in settin_in
        """,
        30: """
            ^articl ^bool ^divi ^divid ^gesp ^gespe ^inser ^inventor ^inventory$ ^modi ^modif ^plusi ^plusie ^plusieur
            ^plusieurs$ ^pole$ ^registro ^scho ^separate ^solle ^sollen ^sollen$ ^steht ^steht$ ^tenu ^utf$ ^varc
            ^varch ^varcha ^varchar$ ^varias ^varias$ ^може ^может ^может$ create_at for_new the_origin we_need 手机号
            机号 默认
        """,
        25: """
            ^berl ^berli ^berlin ^beste ^blob ^blob$ ^due$ ^enti ^events ^events$ ^exis ^exist ^existent ^fiche ^hold$
            ^hoy$ ^ini$ ^nickn ^nickna ^nickname ^postg ^postgr ^postgres ^postgres$ ^primeiro ^primeiro$ ^registro$
            ^sepa ^separ ^separa ^sqli ^sqlit ^sqlite ^sqlite$ ^trze ^карт ^него ^него$ ^старо ^старое ^старое$
            ^хранить$ a_last abstur_beim aggiun_il and_when are_kept are_shared at_presen de_cada first_and
            first_start last_name more_than per_gli を持 手机 报错 형식
        """,
        20: """
            ^adhé ^adhér ^adhére ^adhérent ^adhérents$ ^article$ ^artikel$ ^bekommen ^bekommen$ ^bele ^beleg ^boolean$
            ^cadas ^cadast ^cadastro ^cate ^categ ^catego ^chaq ^chaqu ^chaque ^chaque$ ^corru ^corrup ^eige ^eigen
            ^eigene ^entre ^esistent ^esistenti$ ^guardar$ ^guessa ^guessabl ^guessable$ ^habe ^ids$ ^langu ^mett
            ^mette ^metter ^mettere$ ^modifi ^nell$ ^oggi ^oggi$ ^pair ^pinn ^pinne ^pinned ^pinned$ ^producto$ ^readi
            ^readin ^recip ^rewritte ^rewritten$ ^shipm ^shipme ^shipment ^shipment$ ^suff ^suffi ^suffit ^suffit$
            ^surv ^survi ^surviv ^survive$ ^tene ^termine$ ^toge ^toget ^togeth ^together ^together$ ^une$ ^uten
            ^utent ^versions ^vorh ^vorha ^vorhan ^vorhande ^vorhandene$ ^wer$ ^writ ^дата ^дата$ ^значения ^значения$
            ^неск ^неско ^нескол ^нескольк ^несколько$ ^перевест ^перевести$ ^сервера$ gli_utenti id_create id_en it_a
            la_table long_for on_events on_readin stays_the the_day too_long write_the きる できる コー コード 个字
            支持 现在 마다 번호를 옮겨 호를
        """,
        15: """
            ^acro ^acros ^across ^across$ ^actue ^actuel ^ahor ^ahora ^ahora$ ^alter$ ^articles ^articles$ ^belo
            ^belon ^belong ^besta ^bestan ^bestand$ ^cadastro$ ^categorí ^categorías$ ^contacts ^contacts$ ^decimals
            ^decimals$ ^device$ ^divide ^déjà ^déjà$ ^encrypt$ ^entit ^entri ^entrie ^entries$ ^existi ^existing
            ^existing$ ^fami ^famil ^famili ^families ^families$ ^già$ ^guard ^hash$ ^hold ^kunde$ ^leer$ ^looku
            ^lookup ^lookup$ ^mehre ^mehrer ^mism ^obbl ^obbli ^obblig ^obbligat ^obbligatorio$ ^perde ^posso ^posson
            ^possono$ ^postal$ ^producto ^reada ^readab ^readable ^readable$ ^reading$ ^recen ^recent ^remember$
            ^score ^telefono ^telefono$ ^timest ^timestam ^univ ^weekd ^weekda ^weekday$ ^únic ^único ^único$ ^карто
            ^карточ ^карточке ^карточке$ ^строка ^строка$ a_user an_index charac_are hui_une is_a künfti_als m_rows
            need_a of_their run_out than_charac the_report to_date to_it two_people varias_catego what_s who_change
            в_карточ にす にする 商品 的账 的账号 索引 账号 需要 나누 상세 있음 째로
        """,
        10: """
            ^actuelle ^adresses ^adresses$ ^big$ ^bit$ ^contac ^document$ ^doda ^dodać ^dodać$ ^edit$ ^eigene$ ^game
            ^inse ^move$ ^player$ ^pres ^query ^record$ ^scor ^seve ^tabela ^tener ^types ^types$ ^зака ^заказ ^заме
            ^знач ^значе ^значен ^поле ^поле$ ^старые ^старые$ belong_to keep_the openin_hours per_weekda set_it
            takes_s un_articl we_should хранит_в 文章 저장
        """,
        5: """
            ^adre ^adres ^guar ^par$ ^table$
        """,
    },
    "api": {
        115: """
            ^publ ^publi
        """,
        100: """
            ^rece
        """,
        90: """
            ^item
        """,
        85: """
            instea_of
        """,
        80: """
            ^inte ^items ^items$ ^public ^public$
        """,
        75: """
            ^created$ ^scripts$ ^send
        """,
        70: """
            ^answ ^answe ^answer ^create have_to
        """,
        65: """
            ^config ^crea ^receiv ^resp ^scri ^scrip ^script ^von$
        """,
        60: """
            ^creat ^depu ^inste ^instea ^instead$ ^null$ ^pasa ^xml$
        """,
        55: """
            ^clients$ ^engi ^engin ^engine ^feed ^feed$ ^integ ^parametr ^recei ^sdk$ ^мето ^метод ^метод$
        """,
        50: """
            ^api$ ^apps ^apps$ ^becomes$ ^drop$ ^envi ^gibt ^gibt$ ^integr ^param ^parame ^pedid ^pedido ^requir ^verb
            dates_in 改为
        """,
        45: """
            ^answer$ ^argu ^argum ^argume ^argument ^libr ^müss ^noch ^noch$ ^partn ^partne ^renv ^renvo ^response
            ^respu ^respue ^respuest ^rout ^route the_public
        """,
        40: """
            ^alia ^alias ^alias$ ^config$ ^deprecate$ ^format$ ^iso$ ^library$ ^requi ^respo ^respon ^sind ^sind$
            a_ser drop_node no_longer receiv_the 필요
        """,
        35: """
            ^antw ^antwo ^antwor ^antwort$ ^argument$ ^avisa ^defa ^defau ^defaul ^depui ^depuis ^depuis$ ^enviar
            ^enviar$ ^funci ^integrat ^interf ^interfac ^interface$ ^mill ^müsse ^müssen ^müssen$ ^quit ^quita ^quitar
            ^quitar$ ^read$ ^respuesta$ ^retu ^retur ^return ^skri ^skrip ^skript ^разр depuis_la the_event the_feed
            える に変
        """,
        30: """
            ^boole ^boolea ^call ^color$ ^dates ^dates$ ^depend$ ^dovr ^dovrà ^dovrà$ ^entry ^entry$ ^funcio ^funciona
            ^imme ^immer ^immer$ ^komma ^komman ^kommando ^kommandozeile$ ^libra ^librar ^moves ^moves$ ^node
            ^parametro$ ^parte ^renvoi ^renvoie$ ^response$ ^route$ ^ser$ ^shal ^shall ^shall$ ^skripte$ ^snak ^snake
            ^snake$ ^uuid ab_immer il_parame like_every mudar_o on_all snake_case the_id the_respon 接口 아닌
        """,
        25: """
            ^adap ^adapt ^answers$ ^anwe ^anwen ^anwend ^anwender ^anwender$ ^applic ^applicat ^callb ^callba
            ^callback ^changelo ^changelog$ ^color ^default$ ^engines$ ^envia ^erreurs$ ^errors ^errors$ ^exit ^forme
            ^former ^former$ ^heis ^heiss ^heisst ^heisst$ ^każda ^każda$ ^klie ^klien ^komm ^legac ^legacy ^legacy$
            ^majo ^major ^major$ ^muda ^node$ ^núme ^númer ^número ^número$ ^parcei ^parceiro ^parceiros$ ^partners
            ^partners$ ^placed ^plz$ ^proto ^receiver ^remover$ ^retries$ ^returns$ ^tell$ ^toml ^toml$ ^tutt ^verbo
            ^verbos ^will ^убра ^убрат ^убрать ^убрать$ by_defaul caller_who el_campo feld_plz la_respue next_major
            no_alias of_comma old_one os_parcei passa_a quitar_el read_the the_defaul the_former してい に変更 응답
        """,
        20: """
            ^accor ^accord ^accordin ^according$ ^ancienne ^await$ ^break ^break$ ^carry ^carry$ ^changed$ ^controll
            ^exceptio ^exits ^exits$ ^feld ^feld$ ^follow$ ^getl ^getli ^getlis ^getlist$ ^http$ ^mist ^mista ^mistak
            ^mistake$ ^mobi ^mobil ^mobile ^mudar ^mudar$ ^object$ ^obs$ ^ohne ^ohne$ ^partner$ ^passa$ ^plug ^plugi
            ^plugin ^plugin$ ^plugins$ ^promi ^promis ^públ ^públi ^públic ^reno ^suppri ^supprime ^supprimer$ ^tool$
            ^traf ^usern ^userna ^username ^username$ ^value$ ^warn ^wpis ^перей ^старый ^старый$ accord_to and_o
            and_people answer_with apps_read be_change comple_de código_de do_the every_other feed_as fetch_all get_a
            goes_away nur_noch script_of search_return the_integr the_json the_test the_value third_party two_partne
            with_an ていま り値 スポ スポン ポン ポンス レス レスポ 三方 口返 口返回 戻り 戻り値 接口返 第三 第三方
            返回 답의 라이 라이언 언트 응답의 이언 이언트 클라 클라이
        """,
        15: """
            ^ange ^avisar ^brea ^caller ^callers$ ^code ^consu ^consum ^consumer ^consumers$ ^criad ^criado ^criado$
            ^códi ^códig ^código ^código$ ^dd$ ^depr ^depre ^deprec ^deprecat ^endp ^false ^false$ ^graphq ^graphql$
            ^hooks ^hooks$ ^integrad ^integradores$ ^june ^june$ ^leas ^least ^least$ ^mixe ^mobiles$ ^pagi ^pagin
            ^pagina ^parte$ ^pasa$ ^receivers$ ^responses$ ^stow ^stow$ ^testo$ ^timeo ^timeou ^timeout$ ^uuid$
            ^verbose$ ^warnings ^warnings$ ^yyyy ^yyyy$ ^долж a_link are_no as_second at_least campo_total das_alte
            databa_url depend_on event_user in_all in_config in_messag it_in it_into le_champ los_integr of_when
            out_there pedido_criado print_a read_it rename_event second_argume semico_instea should_come stop_after
            います 同じ 回的 返回的 문자 문자열 연동 열로 외부 자열 자열로 통일
        """,
        10: """
            ^awai ^await ^breaki ^breaking ^breaking$ ^comma$ ^cria ^drop ^endpo ^endpoi ^endpoint ^fetc ^fetch ^fore
            ^forev ^foreve ^forever$ ^handle$ ^http ^none ^none$ ^obje ^objec ^object ^option$ ^precis ^pyth ^pytho
            ^python ^python$ ^readers$ ^rele ^return$ ^soll$ ^usa$ ^webh ^webho ^webhoo ^zmie ^zmien ^zmieni ^zmienić$
            ^долже ^должен ^должен$ ^отве ^ответ as_iso on_it remove_the the_x 変更
        """,
        5: """
            ^curs ^curso ^cursor ^cursor$ ^mobile$ ^relea ^releas ^suppr ^warni ^warnin ^will$
        """,
    },
    "security": {
        185: """
            ^can$
        """,
        110: """
            ^let$
        """,
        95: """
            ^any$
        """,
        80: """
            ^passw
        """,
        75: """
            ^host
        """,
        65: """
            ^bez$ ^post ^widz ^widzi
        """,
        60: """
            ^see$ the_url
        """,
        55: """
            ^room ^sendi ^sendin ^sending$ ^someb ^somebo ^somebody ^somebody$ ^паро ^парол ログ
        """,
        50: """
            ^allow$ ^commen ^cont ^contra ^own$ ^projec ^requ ^serve ^tout ^turn$ ^widzi$ ^смен up_in 所有
        """,
        45: """
            ^acce ^aler ^alert ^mails ^mails$ ^pers ^proj ^proje ^sign ^url$
        """,
        40: """
            ^addr ^addre ^addres ^alert$ ^allow ^conse ^contr ^ends ^ends$ ^konto ^konto$ ^perso ^person ^qualq
            ^qualqu ^qualquer ^qualquer$ ^troc ^troca ^turn after_hours contai_the phone_number
        """,
        35: """
            ^bloquear ^bloquear$ ^chec ^check ^coll ^comment$ ^connec ^conseg ^contains ^contains$ ^environm ^host$
            ^inco ^invit ^logge ^oner ^onerr ^onerro ^onerror$ ^prox ^proxy ^proxy$ ^repos ^reposi ^reposito ^smtp
            ^smtp$ ^valer ^widzie ^widzieć$ ^worksp ^workspac ^открыт ^открытом ^открытом$ ^смены ^смены$ in_there
            of_other plain_text smtp_passwo the_phone the_smtp their_own widzie_tylko в_открыт が見 导出
        """,
        30: """
            ^acces ^bast ^basta ^basta$ ^boar ^board ^contai ^contract ^depl ^deplo ^deploy ^deploy$ ^depoi ^depois
            ^depois$ ^downl ^downlo ^download ^download$ ^envir ^enviro ^environment$ ^exportar ^exportar$ ^guess
            ^guests ^guests$ ^hoste ^keine ^logg ^logged ^logged$ ^me$ ^members$ ^minut ^my$ ^outra ^outra$ ^owne
            ^owner ^pass ^passwo ^peut ^peut$ ^prac ^praco ^pracow ^pracowni ^pracownik$ ^prof ^prot ^publis ^pued
            ^puede ^salari ^server$ ^staf ^staff ^trocar ^trocar$ ^wejś ^works ^workspace$ ^доку ^докум ^докуме
            ^документ ^серв ^серве ^сервер ^ссыл cambia_el can_open depois_de in_plain la_page number_in open_the
            pracow_widzi user_input 看到 能看
        """,
        25: """
            ^acceso ^acceso$ ^address$ ^anyo ^anyon ^anyone ^anyone$ ^apar ^baixa ^baixa$ ^bloq ^bloqu ^bloque ^check$
            ^colle ^compan ^configur ^contro ^cook ^cooki ^cookie ^editi ^encrypte ^encrypted$ ^expi ^expir ^frames
            ^frames$ ^html ^html$ ^keine$ ^kont ^minute ^open$ ^outs ^outsi ^outsid ^outside$ ^owner$ ^pode ^prak
            ^prakt ^prakti ^praktika ^praktikanten$ ^project$ ^publish$ ^recep ^reje ^salaries ^salaries$ ^server
            ^shar ^shared ^shared$ ^stop$ ^toute ^type$ ^viewe ^viewer ^visit ^вход ^откр ^откры baixa_o below_the
            img_src in_my logged_in may_be no_link onerro_alert see_salari show_up src_x the_downlo the_token turn_on
            x_onerro でき まだ 客户 能看到
        """,
        20: """
            ^able$ ^addresse ^addresses$ ^apare ^aparec ^audit$ ^block$ ^conn ^conne ^cookies$ ^doma ^domai ^domain
            ^domain$ ^empl ^emplo ^employ ^employee ^employees$ ^encor ^encore ^encore$ ^fork ^forks ^forks$ ^invi
            ^limite ^moder ^nada ^passwords$ ^personal ^plann ^pops ^pops$ ^poss ^puede$ ^pupi ^pupil ^redir ^redire
            ^redirect ^share ^snip ^snipp ^snippe ^snippet$ ^teac ^teach ^teache ^type ^viewer$ ^visito ^zapisu
            ^документ$ ^ссылк ^ссылка ^ссылка$ ^учас ^участ ^участн ^участник a_commen able_to and_after basta_con
            be_able but_not can_switch con_cambia for_days for_login from_outsid in_as nach_passwo not_to of_privat
            one_can parent_of pops_up pull_reques see_the text_in the_export the_page the_result the_snippe typing_the
            view_as без_входа докуме_открыв на_докуме открыв_без しま にし インで ンで ンでき 就能 無効 登录 번호 합니
            합니다 해야
        """,
        15: """
            ^able ^agains ^against$ ^allo ^codes ^codes$ ^dependab ^dependabot$ ^fram ^frame ^hr$ ^img$ ^kein ^known
            ^known$ ^lien ^lien$ ^modera ^mond ^office ^password ^passwort ^post$ ^posts ^posts$ ^powin ^pull ^pull$
            ^pupils ^pupils$ ^registra ^ricev ^sala ^salar ^schoo ^school ^school$ ^serve$ ^sess ^sessi ^sessio ^sourc
            ^source ^source$ ^staff$ ^teachers ^teachers$ ^ticked ^ticked$ ^uploaded ^uploaded$ ^visit$ ^voit ^voit$
            ^worki ^workin ^working$ ^есть ^есть$ ^отме ^отмен ^участников$ are_visibl can_see from_our i_can into_a
            is_hidden la_base look_at names_and prints_the run_in the_audit the_deploy the_enviro the_header
            the_projec the_route to_all to_write what_the ссылка_на られ クン グイ グイン ストー トーク ログイ ーク
            ークン 会し 会した 员页 员页面 就能进 普通 普通用 理员页 能进 見ら 見られ 退会し 通用 通用户
        """,
        10: """
            ^access ^ande ^ander ^andere ^aparece$ ^baix ^brow ^brows ^browse ^browser$ ^direc ^doit ^doit$ ^edit
            ^gerä ^gerät ^medi ^moderato ^moderators$ ^monda ^monday ^monday$ ^private$ ^register ^src$ ^usuário$
            ^пароль ^пароль$ all_pages let_them the_server the_whole they_should した イン 관리 관리자 리자 밀번
            밀번호 비밀 비밀번
        """,
        5: """
            ^powi ^sign$ ^token$ ^um$ する
        """,
    },
    "money": {
        100: """
            ^od$
        """,
        90: """
            ^charg ^charge
        """,
        85: """
            ^day$
        """,
        80: """
            ^appl ^tota ^total
        """,
        75: """
            ^dost the_order
        """,
        70: """
            ^parc ^parce ^spli ^split ^split$
        """,
        65: """
            ^ab$ ^faut$ ^vale ^vouc ^vouch ^vouche
        """,
        60: """
            ^bill$ ^compt ^dosta ^euro ^fee$ ^stor ^tip$ ^voucher$
        """,
        55: """
            运费 金额
        """,
        50: """
            ^card$ ^char ^charge$ ^cobra ^cred ^eur$ ^kurs ^licz ^market ^taken ^taken$ ^дост il_faut
        """,
        45: """
            ^au$ ^card ^cent ^cent$ ^diffe ^differ ^driv ^drive ^driver ^free$ ^half ^half$ ^parcel ^скид ^скидк
            for_both is_taken taken_off
        """,
        40: """
            ^beko ^bekom ^bekomm ^book ^books ^books$ ^dla$ ^dostaw ^finan ^financ ^finance$ ^free ^frei ^paid ^paid$
            ^pay$ ^price$ ^seat ^standard$ ^teil the_next 부터
        """,
        35: """
            ^actual$ ^annu ^appliq ^auftra ^cliente$ ^credi ^credit ^credit$ ^delivery ^delivery$ ^frai ^frais ^frais$
            ^kids ^kids$ ^klientów ^klientów$ ^livr ^locat ^locati ^location ^location$ ^minimu ^minimum$ ^month
            ^paga$ ^piec ^piece ^rechnung$ ^rendu ^tera ^teraz ^teraz$ ^être ^être$ ^доста ^достав ^кром ^кроме
            ^кроме$ ^скидка ^скидка$ a_code aparec_en in_both n_est order_is vouche_is 원이 청구
        """,
        30: """
            ^actua ^actual ^amou ^amoun ^amount ^amount$ ^annua ^annual ^annual$ ^artí ^artíc ^artícu ^artículo ^asks
            ^asks$ ^cart$ ^cobr ^cobrar ^debi ^desco ^descon ^euro$ ^kurs$ ^late$ ^minim ^nett ^netto ^netto$ ^pieces
            ^pieces$ ^przel ^przeli ^przelicz ^seat$ ^ship ^shippi ^shipping ^shipping$ ^total$ ^totali ^versa ^wird
            ^wird$ ^wort ^worth ^worth$ ^суммы ^суммы$ ^чек$ asks_for correc_the frais_de from_pieces in_den in_two
            next_bill rate_on the_month с_суммы に統 に統一 会员 会员价 叠加 员价 統一 送料 금은 배송 배송비 송비 지금
            지금은
        """,
        25: """
            ^abov ^above ^above$ ^antigu ^anua ^anual ^apli ^aplic ^aplica ^applique ^artículo$ ^bask ^baske ^basket
            ^basket$ ^bekommt$ ^cobrar$ ^correct$ ^debit ^debit$ ^depo ^dia$ ^dnia ^dnia$ ^doll ^dolla ^dollar
            ^dollars$ ^drin ^driver$ ^drivers$ ^erst ^erst$ ^fidé ^fidél ^fidéli ^fidélité ^fidélité$ ^gift ^gift$
            ^liczo ^liczon ^livra ^livrai ^livraiso ^livraison$ ^marke ^marketpl ^marketplace$ ^mind ^parcel$ ^pas$
            ^port$ ^primei ^quantity ^quantity$ ^reloaded ^reloaded$ ^remi ^roun ^round ^sell ^tva$ ^vale$ ^vat$ ^vend
            ^бону ^бонус annual_plan button_is fee_for financ_says kurs_euro la_tva le_total minute_after not_for
            remise_fidéli the_store tip_is z_dnia ごとに とに 订单 限制
        """,
        20: """
            ^aplica$ ^assin ^aussi ^aussi$ ^bei$ ^checkb ^checkbox ^checkbox$ ^compr ^compta ^compte$ ^cost$ ^desconto
            ^desconto$ ^descu ^descue ^descuent ^descuento$ ^diese ^diff ^differs$ ^euros ^euros$ ^gold$ ^jedn ^octo
            ^octob ^octobe ^october$ ^payo ^payou ^payout ^peso ^peso$ ^prime ^rate$ ^rene ^renew ^scon ^scont ^signs
            ^signs$ ^slot ^sped ^spedi ^spediz ^spedizio ^spedizione$ ^standa ^standard ^stał ^stały ^swis ^swiss
            ^swiss$ ^taux ^taux$ ^tips ^tips$ ^totale ^totale$ ^valere ^valere$ ^webs ^yearl ^yearly ^yearly$ ^zahle
            ^zahlen ^должны ^должны$ ^сумм a_cent answer_in au_taux con_el descue_se deve_valere el_descue from_octobe
            half_up l_export middle_of people_pay per_item se_aplica se_il si_el sul_totale swiss_custom the_bank
            the_vouche three_items total_is un_solo when_somebo 今は 允许 只允 只允许 实际 应按 满减 적립 적용 주문
            포함
        """,
        15: """
            ^affichag ^affichage$ ^apply ^apply$ ^bis$ ^booking$ ^buchh ^buchha ^buchhalt ^buchhaltung$ ^calc ^canc
            ^cance ^cancel ^cena ^cena$ ^cobran ^cobrança ^cobrança$ ^compri ^compris$ ^dies ^emba ^less ^less$ ^money
            ^money$ ^month$ ^numé ^numér ^off$ ^pago ^pelo$ ^pro$ ^rate ^reach ^rede ^redon ^redond ^redondea
            ^redondear$ ^roundi ^rounding ^rounding$ ^says ^says$ ^seats ^seats$ ^shipp ^stripe$ ^tien ^vece ^veces
            ^veces$ ^до$ again_after announ_it at_instea de_livrai der_buchha el_client la_factur les_frais new_sign
            of_each round_the sign_ups still_ask sum_of the_basket the_full the_night the_positi the_provid try_again
            à_la 户可 户可以 用了 用户可 的金 的金额 统一 다음 도입 원에 입니 입니다 쿠폰
        """,
        10: """
            ^announce$ ^bill ^cente ^desc ^faut ^fina ^floa ^float ^klient ^produk ^provi ^provid ^provider ^provider$
            ^rechn ^runde ^stripe ^stud ^stude ^studen ^students ^students$ ^sum$ ^ups$ ^verif ^това ^товар be_used
            sur_le test_with the_fee the_no when_the 计算
        """,
        5: """
            ^calcu ^calcul ^invoice$ ^port
        """,
    },
    "destructive": {
        185: """
            ^prod
        """,
        145: """
            ^all$
        """,
        130: """
            ^produ
        """,
        95: """
            から
        """,
        90: """
            ^live
        """,
        85: """
            ^produc 회원
        """,
        80: """
            ^regi
        """,
        70: """
            ^datab ^databa ^database ^everyt ^everythi ^everything$ ^histor ^incl
        """,
        65: """
            ^alte ^hist
        """,
        60: """
            ^histo ^orig ^origi ^origin ^plus$ ^vom$
        """,
        55: """
            ^alte$ ^inclu ^nigh ^night ^remove$ ^stare ^stare$
        """,
        50: """
            ^alle ^alle$ ^costs ^costs$ ^dump ^live$ ^prod$ ^qui$ ^remo ^serw ^serwe ^serwer
        """,
        45: """
            ^anti ^antig ^away ^away$ ^com$ ^compte ^includ ^included ^included$ ^kopie ^kopie$ ^original ^players$
            ^producti ^production$ ^remove ^vecc ^vecch ^vecchi
        """,
        40: """
            ^cancellare$ ^entf ^inven ^invent ^lives ^livesy ^livesyst ^livesystem$ ^miej ^miejs ^miejsc ^olde ^prova
            ^prova$ ^remov ^serwerze ^serwerze$ ^throw ^zamó ^zamów ^zamówi ^вмес ^вмест ^вместе ^вместе$ ^снес ^снест
            ^снести ^снести$ na_serwer 数据
        """,
        35: """
            ^ante ^archi ^autom ^automa ^automati ^automatically$ ^backu ^backup ^buck ^bucke ^bucket ^hay$ ^history$
            ^kopi ^mandan ^older ^older$ ^quel ^quell ^rank ^samt ^samt$ ^sprz ^stag ^stagi ^wszy ^wszys ^wszyst ^zera
            is_closed there_are
        """,
        30: """
            ^anter ^anteri ^anterior ^anterior$ ^bucket$ ^close ^companie ^companies$ ^correos$ ^eliminare$ ^expire$
            ^fili ^filia ^lead ^newe ^newes ^newest ^newest$ ^ones ^ones$ ^overw ^overwr ^overwrit ^raze ^razem
            ^razem$ ^remain$ ^rid$ ^then ^then$ ^throw$ ^todos ^todos$ ^undo ^undo$ ^vider ^vider$ ^years ^years$
            ^все$ ^тесто ^тестов after_days delete_the get_rid il_vecchi rid_of the_attach the_dead the_rest ザー ユー
            ユーザ ーザ ーザー 不要 本番 退会 운영 지난
        """,
        25: """
            ^archive$ ^ausge ^backup$ ^belege ^bot$ ^clos ^comptes$ ^daten ^dead ^dupli ^duplic ^duplicat ^entfe
            ^entfer ^entferne ^entfernen$ ^eol$ ^espa ^forc ^force ^force$ ^jour ^journ ^journa ^journaux ^journaux$
            ^liege ^liegen ^liegen$ ^mais ^mais$ ^months ^months$ ^otro ^projects ^projects$ ^raw$ ^real ^remot
            ^remote ^remote$ ^repository$ ^stato ^stato$ ^tb$ ^tout$ ^uploads$ ^usun ^usuną ^usunąć ^usunąć$ ^vacia
            ^vaciar ^vaciar$ ^vecchi$ ^weg$ ^боев ^боево ^боевом ^боевом$ ^старых ^старых$ ^удали ^удалит ^удалить$
            ^файл ^файлам ^файлами$ attach_on compte_de de_plus empty_the histor_of in_produc out_of plus_de qui_a
            stare_kopie the_histor two_years vaciar_la больше_не вместе_с на_боевом から消 ら消 ら消す を本 を本番
            バー ーバ ーバー 것만 데이 데이터 등록 서버 이터 정리
        """,
        20: """
            ^accounts ^accounts$ ^antigo ^archiv ^aus$ ^certi ^certif ^certific ^chea ^cheat ^cheate ^clean ^clientes
            ^clientes$ ^commandes$ ^doss ^dossi ^dossie ^dossiers ^dossiers$ ^dupl ^duplicate$ ^eliminar ^ended
            ^ended$ ^esto ^estoq ^estoqu ^estoque$ ^ever$ ^everyo ^everyone ^everyone$ ^exception$ ^intere ^kompl
            ^komple ^komplett ^komplett$ ^mandante ^mandanten$ ^milli ^nightl ^nightly$ ^pasad ^pasado ^push ^push$
            ^schu ^servid ^servidor ^servidor$ ^sessions ^sessions$ ^six$ ^squa ^stagin ^staging$ ^subs ^subscrib
            ^subscribers$ ^testow ^todas ^todas$ ^todo ^tracki ^tracking ^tracking$ ^vaci ^vertra ^vertrag$ ^volta$
            ^worl ^world ^wszystki ^wszystkie$ ^zerar ^zerar$ ^базе ^базе$ ^боль ^больш ^больше ^больше$ ^наст ^настр
            ^настро ^один ^один$ ^само any_more borrar_los costs_us dead_letter duplic_compan letter_queue o_estoqu
            old_bucket older_than push_with remove_all replac_all run_on shall_see the_m there_and todos_los us_a
            user_s vider_la von_der with_force zerar_o в_базе もの 全部 消す 环境 래된 매일 새벽 오래 오래된 이블 테이
            테이블 하지 휴면
        """,
        15: """
            ^antigo$ ^beca ^cert ^closed ^closed$ ^clus ^clust ^cluste ^cluster$ ^contas ^contas$ ^copia$ ^crm$
            ^definiti ^direccio ^direcciones$ ^expire ^exports$ ^gb$ ^gone ^gone$ ^grows ^grows$ ^houses ^houses$
            ^inac ^inact ^inacti ^includin ^including$ ^komp ^könn ^könne ^können ^können$ ^leur ^nas$ ^origin$
            ^overwrite$ ^pictures ^pictures$ ^pier ^points ^points$ ^produç ^produção ^produção$ ^quelli ^quelli$
            ^raus ^regio ^region ^releases ^releases$ ^sans ^sans$ ^seas ^seaso ^season ^season$ ^servi ^tables
            ^tables$ ^week$ ^world$ ^удал ^файла a_month and_remove are_gone as_well aus_dem de_produç del_servid
            en_base en_prod every_night for_two includ_their list_in lose_their month_for más_de of_closed on_prod
            plus_d should_take than_a that_were the_base the_duplic the_eu the_live todos_os un_an un_pedido の会
            の会員 の全 アッ アップ クア クアッ サー サーバ ジョ スト ックア バック バーか ーか ーから 会員 첨부 파일
        """,
        10: """
            ^arch ^attachme ^borr ^borra ^cancella ^dado ^dados ^dados$ ^dead$ ^está ^está$ ^eu$ ^inve ^kosz ^lieg
            ^nuke ^nuke$ ^repo$ ^subsc ^subscr ^track ^tras ^trash ^trash$ ^поль ^польз a_year api_keys becaus_of
            everyb_s gb_a import_from nuke_the people_who remote_branch the_cluste ック 古い
        """,
        5: """
            ^becau ^becaus ^because$ ^clean$
        """,
    },
    "ambiguity": {
        190: """
            ^or$
        """,
        170: """
            ^some
        """,
        95: """
            ^qual
        """,
        80: """
            ^some$
        """,
        75: """
            ^but$ ^fast
        """,
        70: """
            ^más$
        """,
        60: """
            ^abou ^about ^about$
        """,
        55: """
            ^oder ^oder$ ^redo ^soli
        """,
        50: """
            ^bitt ^bitte ^bitte$ ^decid ^decide ^poprawić ^poprawić$ ^raport ^tbd$
        """,
        45: """
            ^conc ^czy$ ^finde ^mein ^nice ^nicer ^nicer$ ^prefer ^что$ 首页
        """,
        40: """
            ^correo ^faste ^faster ^faster$ ^feel ^principale$ ^quali ^somet ^usuar ^usuari ^usuarios ^usuarios$ ^verr
            ^или$ let_s lo_del
        """,
        35: """
            ^alto ^atra ^dashb ^dashbo ^dashboar ^dashboard$ ^deci ^fast$ ^mal$ ^mb$ ^notifications$ ^popra ^popraw
            ^preferen ^rapo ^rapor ^rendr ^rendre ^rendre$ ^sea$ ^tablets$ ^whate ^whatev ^whatever ^whatever$ ^втор
            ^клие ^клиен ^клиент ^реши ^решил ^увед ^уведо ^уведом ^уведомле about_it be_writte el_panel look_like
            que_sea rendre_la 하게
        """,
        30: """
            ^algo ^algo$ ^anmeldun ^anmeldung$ ^bett ^bette ^better ^better$ ^coul ^could ^could$ ^discu ^discus ^draf
            ^draft ^ents ^feels ^feels$ ^find$ ^hace ^much ^much$ ^ou$ ^pref ^prefe ^product$ ^qué$ ^relató ^relatóri
            ^relatório$ ^skip ^skip$ ^think ^tues ^tuesd ^tuesda ^tuesday$ ^usta ^ustal ^viel have_been left_or
            limit_the newest_first sort_order the_app the_call 改版 知の 还是 通知 通知の 页改 页改版 首页改 아직
        """,
        25: """
            ^accessib ^boni ^classe ^defi ^defin ^defini ^degl ^degli ^degli$ ^discusse ^discussed$ ^drafts ^drafts$
            ^editors$ ^ense ^ensem ^ensemb ^ensemble ^ensemble$ ^fare ^fare$ ^filters$ ^geschä ^geschäft
            ^geschäftsführung$ ^implement$ ^inne ^kart ^km$ ^llam ^llama ^llamad ^llamada$ ^maga ^magar ^magari
            ^magari$ ^meinu ^meinun ^meinunge ^meinungen$ ^mostrar$ ^neit ^neith ^neithe ^neither$ ^noti ^notif
            ^notifi ^onbo ^onboa ^onboar ^onboardi ^onboarding$ ^precisam ^revo ^said ^said$ ^someti ^sometime
            ^sometimes$ ^speci ^thin ^think$ ^ustale ^ustaleni ^ustalenia$ ^vertri ^vertrieb ^vertrieb$ ^writt ^writte
            ^written$ ^остав ^решили ^решили$ app_should as_discus be_agreed bitte_um der_vertri do_ustale large_files
            los_usuari needs_to nobody_has the_wiki to_a um_meinun users_may whatev_you you_think не_решили 规则 개편
        """,
        20: """
            ^agre ^agree ^agreed ^agreed$ ^anco ^ancor ^ancora ^ancora$ ^assig ^assign ^autor$ ^bestä ^convi ^countrie
            ^countries$ ^decided$ ^decidere ^decidere$ ^diret ^direto ^foll ^follo ^follow ^fris ^gest ^impro ^improv
            ^improve$ ^inicia ^inicial$ ^linea ^onde ^onde$ ^otra ^pick$ ^pods ^prodo ^prodot ^raz$ ^reminder$ ^reply
            ^reply$ ^rive ^rived ^rivede ^rivedere ^rivedere$ ^senz ^senza ^senza$ ^talk ^thur ^thurs ^thursd
            ^thursday ^thursday$ ^tour ^tour$ ^whet ^wheth ^whethe ^whether$ ^zapy ^zapyt ^zapyta ^делат ^делать
            ^делать$ ^жалу ^отчё ^отчёт ^прид ^пуст above_the an_export app_is da_decide do_someth do_we go_to keep_or
            las_notas on_each on_thursd people_to second_one should_just someth_about tela_inicia the_team что_делать
            ってい 产品 미정 습니다 했습 했습니
        """,
        15: """
            ^annoy ^aske ^asked ^asked$ ^author$ ^autor ^birthd ^birthday ^compla ^complain ^crit ^dash ^deja ^dent
            ^dentr ^dentro ^dentro$ ^eith ^eithe ^either ^either$ ^exten ^five ^five$ ^frisc ^frisch ^gard ^garde
            ^garder ^garder$ ^gesc ^gesch ^hacem ^hacemo ^hacemos$ ^ils$ ^impl ^imple ^implem ^implemen ^impr ^inic
            ^inici ^karte ^mandat ^mandator ^mandatory$ ^needs ^needs$ ^rete ^reten ^retent ^retentio ^retention$
            ^sais ^short$ ^slug ^smar ^smart ^smarte ^smarter$ ^someth ^somethin ^something$ ^sprint ^sprint$ ^vedi
            ^vedia ^vediam ^vediamo$ ^war$ ^way$ ^клиентам ^меня ^со$ a_page a_tela is_slow it_some la_llamad
            on_tuesda please_fix qué_hacemo should_look suppor_for they_don want_it what_do what_people 方案 没定 还没
            还没定 의견
        """,
        10: """
            ^correo$ ^criteria ^criteria$ ^deal$ ^decide$ ^entra ^icons ^icons$ ^notifica ^ordine ^ordine$ ^pane
            ^panel ^threads$ ^yes$ accept_criter the_settin せん ませ ません 화면
        """,
        5: """
            ^size$ the_map
        """,
    },
    "any": {
        220: """
            ^and$
        """,
        185: """
            ^get$
        """,
        175: """
            ^les$
        """,
        170: """
            ^at$ ^old$
        """,
        165: """
            に
        """,
        160: """
            ^be$
        """,
        150: """
            ^for$
        """,
        135: """
            ^user
        """,
        130: """
            ^a$
        """,
        125: """
            ^they ^they$ ^v$ ^we$ and_the 用
        """,
        120: """
            ^take the_old
        """,
        110: """
            ^by$ ^must ^new$ ^peop ^peopl ^people ^people$ ^who$ ま 改 要 원
        """,
        105: """
            ^clie ^clien ^client ^cust ^custo ^custom ^customer ^ever 회
        """,
        100: """
            ^las$ ^los$ ^mit$ ^must$ ^o$ ^out$ か 부
        """,
        95: """
            ^e$ ^every ^il$ ^users$
        """,
        90: """
            ^days ^days$ ^do$ ^mail ^may$ ^plus ^thei ^their ^their$
        """,
        85: """
            ^customers$ ^find ^que$ ^toda ^with ^с$ を 户
        """,
        80: """
            ^appli ^from$ ^have ^now$ ^what ^with$ は 会 개
        """,
        75: """
            ^both ^both$ ^kund ^kunde ^phone$ ^supp ら 日 도
        """,
        70: """
            ^cost ^entr ^have$ ^kunden ^more ^more$ ^suppor ^support$ ^team ^team$ ^that ^that$ ^them$ ^users ます 为
            分 号 接 能 정 지
        """,
        65: """
            ^an$ ^conf ^deve ^from ^longer ^longer$ ^mome ^momen ^moment ^może ^może$ ^regis ^regist ^suppo ^takes
            ^takes$ も 以 是 还
        """,
        60: """
            ^auft ^auftr ^cambiar$ ^chat ^chi$ ^confi ^der$ ^i$ ^pedi ^serv ^si$ ^slow ^ther ^there$ ^и$ 用户 看 知 运
            退 다 변경 비
        """,
        55: """
            ^anci ^ancie ^ancien ^anyt ^anyth ^anythi ^anything ^anything$ ^cada$ ^deve$ ^gets ^gets$ ^gues ^kunden$
            ^longe ^mand ^manda ^moment$ ^muss ^muss$ ^not$ ^prov ^slow$ ^switch$ ^today ^today$ ^user$ ^vertr ^want
            ^year ^сдел ^сдела ^сделат ^сделать$ change_the the_moment 老 费 部 金 额 구 으 일
        """,
        50: """
            ^comme ^con$ ^conta ^die$ ^hours ^hours$ ^keep$ ^limi ^limit ^lo$ ^m$ ^next ^next$ ^part ^più$ ^playe
            ^player ^stil ^still ^still$ ^there ^thro ^usua ^want$ ^от$ get_the into_the on_the to_be with_a 回 변 은
            주 해
        """,
        45: """
            ^befo ^befor ^before ^before$ ^currentl ^currently$ ^dire ^filte ^filter ^know ^memb ^membe ^member ^nobo
            ^nobod ^nobody ^nobody$ ^of$ ^order$ ^pedido$ ^phon ^phone ^prim ^quant ^quanti ^sales ^sales$ ^search$
            ^sont ^sont$ ^ticke ^us$ ^wir$ de_l 存 实 持 方 止 满 生 通 首 것 기 으로
        """,
        40: """
            ^app$ ^auch ^auch$ ^avis ^been ^chat$ ^cons ^corr ^everyb ^everybod ^everybody$ ^fields ^fields$ ^go$
            ^note ^novo ^novo$ ^order ^our$ ^popr ^por$ ^primar ^room$ ^sale ^texts ^texts$ ^them ^week ^what$ ^нужн
            ask_for can_be must_not the_second た り 三 人 元 导 所 据 段 消 番 直接 算 細 送 경 년 바 배 언 적 전 파
        """,
        35: """
            ^accep ^accept ^acco ^ask$ ^expo ^expor ^export ^files ^files$ ^full ^full$ ^keep ^limit$ ^look$ ^lose$
            ^ma$ ^make$ ^manu ^messages ^messages$ ^need ^night$ ^numb ^numbe ^number ^numbers$ ^po$ ^prima ^tell
            ^than$ ^un$ ^und$ ^up$ ^vert ^were ^were$ a_los en_la right_now the_chat せ グ セ 他 先 前 加 原 同 员 品
            扣 款 版 认 论 都 데 료 요 월 장 청
        """,
        30: """
            ^also ^also$ ^anno ^audit ^aufträ ^aufträge ^aufträge$ ^back ^been$ ^count$ ^devic ^device ^devices$ ^down
            ^existe ^für$ ^goes ^goes$ ^hat$ ^into ^into$ ^know$ ^large$ ^lega ^long ^mail$ ^minutes$ ^notes ^notes$
            ^required ^required$ ^rest$ ^sear ^searc ^search ^sync ^sync$ ^task ^testo ^ticket ^unli ^uplo ^uploa
            ^upload ^werd ^werde ^werden ^werden$ ^y$ as_a before_the go_on search_for the_new バ ポ ユ 个 口 备 就 年
            效 料 本 統 自 見 话 默 금 난 닌 더 분 서 세 송 운 의 저 존 직 탈 했
        """,
        25: """
            ^ancien$ ^assi ^betw ^betwe ^betwee ^between$ ^corre ^date ^differen ^direcc ^exac ^exact ^exactl
            ^exactly$ ^float$ ^fäll ^guest ^hora ^import$ ^importer$ ^inter ^je$ ^lief ^liefe ^liefer ^move ^offi
            ^offic ^posta ^postal ^quan ^remin ^remind ^reminder ^repo ^sett ^settings ^settings$ ^shop ^soll ^task$
            ^tick ^tickets$ ^to$ ^units ^units$ ^unlim ^unlimi ^unlimite ^unlimited$ ^wants ^wants$ ^was$ ^zone ^кто$
            ^нужна ^нужна$ ^у$ all_of and_let con_i de_la e_mail for_nothin from_now get_it has_to is_in must_be
            now_on tem_que the_client the_custom the_user with_the withou_it いま う ご ごと し して て ャ ョ 则 制 合
            含 商 変 好 客 家 工 把 既 時 未 机 無 登 统 规 订 返 重 공 관 니다 답 등 식 업 연 치 터 편 하고 형 휴
        """,
        20: """
            ^alwa ^alway ^always ^always$ ^anyw ^autho ^author ^back$ ^birt ^birth ^call$ ^campos ^campos$ ^chats
            ^chats$ ^coun ^count ^customer$ ^exte ^filter$ ^hoje ^hoje$ ^marketin ^marketing$ ^mess ^messa ^messag
            ^ne$ ^news ^nome$ ^non$ ^orde ^ordi ^ordin ^os$ ^pages ^pages$ ^proce ^proces ^process$ ^reci ^sem$ ^setti
            ^settin ^shops ^shops$ ^sie$ ^steps ^steps$ ^stored ^stored$ ^such ^tabell ^tem$ ^than ^thir ^third
            ^third$ ^time$ ^zone$ ^нужно ^нужно$ copy_of for_all it_at les_ancien one_is per_person settin_ini
            the_import time_zone うに え っ へ よ ように わ ク 产 今 便 値 允 入 全 减 判 利 可 可以 否 庫 环 着 索 许
            际 需 겨 고 과 꿔 나 된 래 립 매 문 미 바꿔 벽 보 블 신 아 영 옮 와 우 을 있 주세 주세요 차 체 필 합
        """,
        15: """
            ^acceptan ^acceptance$ ^application$ ^cambia ^comm ^complete$ ^curr ^curre ^curren ^da$ ^deal ^dwa$ ^elle$
            ^fich ^first$ ^give$ ^incl$ ^każd ^large ^late ^lose ^newsl ^newsle ^newslett ^newsletter$ ^on$ ^paged
            ^paged$ ^person$ ^play ^plea ^pleas ^please ^please$ ^proc ^profi ^profil ^regions$ ^too$ ^true ^true$
            ^vecchio$ ^weekl ^weekly ^weekly$ ^z$ ^на$ a_time amount_in become_a dans_l is_the it_from it_on the_limit
            togeth_with twice_in use_the we_never we_want くだ くださ さい じ だ ださ ださい と び め よう ア ザ メ 不
            別 力 員 在是 外 形 报 整 普 案 每 求 现 现在是 秒 複 计 设 负 账 게 견 누 를 무 소 알 야 외 음 첨 쿠 통
            폰 하
        """,
        10: """
            ^accou ^accoun ^adresse$ ^als$ ^are$ ^ausg ^camb ^cambi ^comments ^comments$ ^contain$ ^data ^dos$ ^g$
            ^had$ ^importer ^it$ ^item$ ^l$ ^nome ^number$ ^place$ ^poin ^point ^powini ^powinien ^powinien$ ^reade
            ^reader ^report$ ^se$ ^steh ^used ^used$ ^über$ a_new drop_the they_re ん 叠 古 境 复 多 定 息 提 新 更 法
            章 级 编 量 는 니 밀 복 빈 세요 않 호
        """,
        5: """
            ^agai ^again ^clas ^hour ^last ^make ^once ^once$ ^plac ^place ^preci ^second$ ^shou ^shoul ^should ^size
            ^star ^step ^swit ^switc ^switch ^table ^vers ^year$ at_the only_the で 出 有 调 용
        """,
    },
    "none": {
        -360: """
            ^px$
        """,
        -230: """
            ^test
        """,
        -215: """
            ^add$
        """,
        -205: """
            ^test$
        """,
        -180: """
            ^docs ^list
        """,
        -175: """
            ^is$
        """,
        -165: """
            ^docs$ ^print
        """,
        -160: """
            ^line ^no$
        """,
        -150: """
            ^in$ ^py$
        """,
        -145: """
            ^im$ ^line$ ^use$
        """,
        -140: """
            ^miss 가
        """,
        -135: """
            ^icon ^local ^wron ^wrong
        """,
        -130: """
            ^labe ^label ^sele ^selec
        """,
        -125: """
            ^clic ^guid ^wrong$
        """,
        -120: """
            ^label$ ^prin ^select ^t$
        """,
        -115: """
            ^compo ^ctrl ^ctrl$ な
        """,
        -110: """
            ^icon$ ^list$ ^md$ ^print$ ^show 图 文
        """,
        -105: """
            ^ci$ ^fix$ ^loca ^scro ^scrol ^scroll ^się$
        """,
        -100: """
            ^al$ ^butt ^butto ^button ^button$ ^css$ ^does ^form ^help ^ms$ ^refu in_the が 行 이
        """,
        -95: """
            ^dans ^dans$ ^ios$ ^permis ^txt$ ^w$
        """,
        -90: """
            ^click ^dev$ ^form$ ^grey ^grey$ ^has$ ^hint ^its$ ^menu ^menu$ ^missi ^missin ^missing$ ^pdf$ ^perm
            ^readm ^readme ^readme$ ^s$ ^tests ^tests$ 动
        """,
        -85: """
            ^bar$ ^digi ^digit ^igno ^ignor ^ignore ^imag ^image ^migr ^migra ^na$ ^only ^only$ ^przy ^refun ^refund
            ^toolt ^toolti ^tooltip$ ^спис the_wrong
        """,
        -80: """
            ^bump ^comp ^guide ^helpe ^helper ^imports$ ^key$ ^lite ^liter ^logo$ ^over ^page$ ^paym ^payme ^paymen
            ^permi ^role ^sche ^spee ^speed ^speed$ ^sur$ ^tab$ ^wind ^windo ^window の 标 글
        """,
        -75: """
            ^anim ^anima ^bump$ ^del$ ^does$ ^el$ ^esli ^eslin ^eslint ^field$ ^good$ ^logi ^ok$ ^pars ^parse ^picke
            ^picker ^picker$ ^rende ^render ^row$ ^stay ^trans ^when ^when$ ^worke add_a the_other to_the 버튼 스 튼
        """,
        -70: """
            ^alre ^alrea ^alread ^already$ ^compon ^componen ^d$ ^du$ ^eslint$ ^jump ^literó ^literówk ^literówka$
            ^log$ ^login ^modo ^modo$ ^payment$ ^prog ^progr ^react ^react$ ^soun ^sound ^sound$ ^stat ^text$ ^this
            ^this$ ^toke ^token ^tool ^ts$ from_to 字 换 画 色 글자 임 줄
        """,
        -65: """
            ^box$ ^click$ ^column$ ^editor$ ^escape$ ^font ^foot ^foote ^footer ^footer$ ^guide$ ^helper$ ^info ^insta
            ^logo ^nella ^nella$ ^overl ^overla ^permissi ^progre ^prop ^retr ^shows ^shows$ ^spin ^spinn ^spinne
            ^summ ^svg$ ^tile ^tipp ^tokens ^tran ^unti ^until ^until$ ^usar ^view$ ^кноп ^кнопк ^опла ^оплат ^при$
            dans_le in_der speed_up け ド ル 了 두
        """,
        -60: """
            ^alig ^align ^andro ^androi ^animat ^animatio ^animation$ ^blan ^enla ^enlace$ ^file$ ^inde ^info$ ^liste
            ^ment ^menti ^mentio ^npm$ ^nur$ ^overf ^overfl ^overflow ^overflow$ ^overlap$ ^read ^scroll$ ^segn ^segna
            ^stay$ ^stre ^tax$ ^text ^unde ^usar$ ^util ^variab ^variable ^work ^x$ ^в$ ^пада ^падае ^падает ^падает$
            ^экра ^экран campo_de つ ない 中 里 안 오타 잘 크 타
        """,
        -55: """
            ^andr ^ao$ ^arrow ^b$ ^bann ^banne ^banner ^banner$ ^behi ^behin ^behind ^behind$ ^benu ^benut ^benutz
            ^botã ^botão ^botão$ ^cache$ ^chap ^chapt ^chapte ^chapter$ ^colu ^colum ^column ^compar ^coup ^debu
            ^debug ^enlac ^enlace ^erro ^fail ^faute ^faute$ ^fehlt ^fehlt$ ^fire ^flic ^flick ^flicke ^font$ ^good
            ^hinte ^hinter ^image$ ^job$ ^lint ^locale ^login$ ^map$ ^migrat ^one$ ^parser ^parser$ ^paste ^paste$
            ^pick ^prev ^quiz ^reac ^roles ^roles$ ^select$ ^show$ ^slid ^slide ^tela ^thre ^tile$ ^version$ ^vide
            ^widt ^width ^worker ^worker$ ^zeil ^zeile ^zoom ^zwei ^кнопка ^кнопка$ ^отст ^отсту ^отступ ^отступ$
            ^перек ^перекр ^перекрыв ^перекрывает$ ^подс as_in one_line ッ 件 屏 示 表 题 자
        """,
        -50: """
            ^android$ ^avat ^avata ^avatar ^benc ^bench ^billi ^billin ^billing$ ^blank ^bord ^borde ^border ^border$
            ^brok ^broke ^buil ^cach ^cache ^carr ^class$ ^comes ^comes$ ^completi ^contri ^contribu ^contributing$
            ^cove ^cover ^cut$ ^draw ^fails ^fails$ ^firef ^firefo ^firefox$ ^flak ^focu ^focus ^focus$ ^gene ^gener
            ^graf ^hand ^highl ^highli ^highligh ^how$ ^index ^indi ^intern ^k$ ^ligne$ ^lista ^lista$ ^markd ^markdo
            ^markdown ^markdown$ ^mese ^modu ^modul ^noth ^nothi ^nothin ^nothing$ ^para$ ^past ^prei ^preis ^progress
            ^progress$ ^puls ^pulsa ^pulsan ^pulsante ^pulsante$ ^repla ^reports$ ^same ^scre ^scree ^screen ^segnap
            ^segnapos ^segnaposto$ ^spinner$ ^state$ ^story ^temp ^terminal ^trad ^translation$ ^umla ^umlau ^umlaut
            ^unuse ^unused ^unused$ ^uses ^uses$ ^whil ^while ^while$ ^windows$ ^икон ^оплаты ^оплаты$ ^списк ^списо
            ^список ^список$ cache_the il_segnap o_campo on_a on_page the_end the_label the_list use_a れ イ フ ボ
            一覧 一覧の 切 印 图标 期 补 覧 覧の 색 어 한
        """,
        -45: """
            ^alla ^auf$ ^autoc ^barr ^blas ^bug$ ^build ^colon ^colonn ^completion$ ^debug$ ^decisi ^decision
            ^decision$ ^delet ^delete ^descr ^descri ^did$ ^discou ^discount ^discount$ ^dist$ ^doku ^druc ^druck
            ^edito ^editor ^emoj ^emoji ^esca ^escap ^escape ^exam ^examp ^exampl ^expl ^extr ^extra ^flaky ^flaky$
            ^guida ^guida$ ^head ^hide ^high ^icôn ^icône ^icône$ ^impo ^impor ^import ^index$ ^instal ^install$ ^lexe
            ^lexer ^lexer$ ^lign ^ligne ^linu ^linux ^linux$ ^local$ ^mention$ ^migratio ^mm$ ^nan$ ^nell ^png$ ^press
            ^przyc ^przyci ^przycisk ^refund$ ^refunds$ ^rich ^richt ^same$ ^schem ^schema ^schema$ ^seed ^seed$ ^sort
            ^spri ^springt$ ^starts$ ^stut ^stutt ^stutte ^stutters ^stutters$ ^swap ^timer ^title$ ^tokens$ ^trop
            ^two$ ^typo$ ^unit ^unus ^variable$ ^versi ^vide$ ^why$ ^wie$ ^word$ ^zasł ^é$ ^иконк ^иконка ^иконка$
            ^тест$ a_file for_every has_a il_pulsan input_should it_was la_liste like_the not_needed overla_the
            para_el set_in the_footer the_last the_tax タ 切换 刷 小 按钮 次 没 画面 画面の 言 钮 除 面 面の 页 그
            기화 버 삭 아이 짐 짜 초 초기 초기화
        """,
        -40: """
            ^abri ^abrir ^alla$ ^anze ^anzei ^anzeig ^arou ^aroun ^around ^around$ ^arro ^avatar$ ^badg ^badge ^badge$
            ^beha ^benchm ^benchmar ^benutzer ^bitmap ^build$ ^campo$ ^carte ^cli$ ^colo ^colonne$ ^como ^como$ ^coupo
            ^coupon ^coupon$ ^dele ^describe ^describe$ ^destr ^destro ^digits ^digits$ ^dźwi ^dźwię ^dźwięk ^dźwięk$
            ^else ^else$ ^enou ^enoug ^enough ^enough$ ^enter$ ^error ^etic ^etich ^etiche ^etichett ^etichetta$
            ^every$ ^example$ ^excl ^exclu ^faktury$ ^filtr ^fixed ^fixed$ ^floo ^forg ^genera ^grafi ^grafic
            ^grafico$ ^grou ^gráf ^gráfi ^gráfic ^hard$ ^internal ^internal$ ^isn$ ^issue$ ^jumps ^jumps$ ^kb$ ^kill
            ^kill$ ^larg ^leav ^limp ^manc ^manca ^manca$ ^mark ^message$ ^min$ ^mock ^n$ ^neve ^never ^never$ ^opens$
            ^overlaps ^overlaps$ ^parp ^parpa ^parpad ^parpadea ^parpadea$ ^pip$ ^press$ ^previe ^przy$ ^reads ^reads$
            ^recu ^rege ^relo ^renderer ^renderer$ ^repe ^replac ^scher ^scherm ^sesi ^sql$ ^state ^storyb ^storyboo
            ^storybook$ ^są$ ^tela$ ^timer$ ^transl ^translat ^tylk ^tylko ^tylko$ ^typo ^under$ ^update ^view ^votr
            ^votre ^votre$ ^width$ ^wykr ^wykre ^wykres ^yml$ ^you$ ^zeile$ ^zsh$ ^версия ^версия$ ^подп ^подпи
            ^подпис ^цвет ^цвета ^экрана a_set al_abrir as_nan e_e for_each invoic_pdf is_too isn_t it_is it_s its_own
            logo_is no_se npm_run on_window parpad_al pour_le progre_bar takes_second the_first the_grey the_login
            the_refund コン ビ ビュ ビュー ヘ ュ ュー 一行 上 位 例 充 反 器 对 小屏 幕 放 权 格 模 补充 表示 辑 関
            関数 글자가 상이 오 자가 콘
        """,
        -35: """
            ^abrir$ ^accents$ ^aggio ^aggior ^aggiorna ^ajou ^ajout ^ajoute ^ajouter$ ^anzeige$ ^auth$ ^beim ^beim$
            ^besc ^besch ^beschr ^bien ^blank$ ^busc ^busca ^cara ^carac ^caract ^carri ^carrit ^carrito$ ^chart ^chiu
            ^chiud ^chiude ^component$ ^compos ^cong ^data$ ^datei ^datei$ ^de$ ^di$ ^digita ^digitar$ ^disabled
            ^disabled$ ^disco ^displ ^displa ^dropp ^end$ ^erreur$ ^errore ^errore$ ^falsc ^falsch ^fichier$ ^fiel
            ^field ^file ^filtro ^fixe ^forgot$ ^fps$ ^funct ^functi ^function ^gelö ^gelös ^gelösc ^gelöscht ^grap
            ^graph ^graphi ^graphiqu ^graphique$ ^hangs ^hangs$ ^hilf ^hilfe ^hove ^hover ^hover$ ^intl ^intl$ ^jede
            ^keyb ^keybo ^keyboa ^keyboard ^keyboard$ ^lege ^lines ^lines$ ^lint$ ^listen ^long$ ^looks ^looks$ ^loop
            ^makes ^makes$ ^manq ^manqu ^minia ^miniat ^miniatur ^mock$ ^moda ^mostra$ ^nel$ ^onli ^onlin ^online
            ^online$ ^othe ^other ^other$ ^ouve ^ouver ^ouvert ^overv ^overvi ^overview ^overview$ ^page ^pant ^panta
            ^pantal ^pantalla ^pantalla$ ^para ^part$ ^permission$ ^permissions$ ^picture$ ^plant ^poli ^poza ^poza$
            ^previ ^preview$ ^props ^props$ ^przew ^przewi ^purge$ ^ques ^quest ^quiz$ ^rech ^recieve$ ^relati ^repl
            ^resta ^richti ^run$ ^safa ^safar ^safari ^safari$ ^schermat ^schermata$ ^schl ^schlü ^schlüs ^schlüsse
            ^selected ^selected$ ^set$ ^shad ^shado ^shadow ^smal ^small ^spac ^space ^spring ^statu ^status ^status$
            ^stic ^stick ^stopc ^stopce ^stopce$ ^summe ^só$ ^tippe ^tradu ^transi ^transiti ^transition$ ^typi ^typin
            ^typing ^typing$ ^umlauts$ ^under ^unit$ ^va$ ^vari ^verd ^versio ^video ^word ^zeig ^zeigt ^zeigt$ ^zoom$
            ^zweim ^zweima ^zweimal$ ^верс ^верси ^видн ^ключ ^мерц ^мерца ^не$ ^сохр ^сохра ^сохран ^экрана$ ci_cache
            das_event de_compar el_botón faute_dans in_with is_cut is_enough la_tabla le_graphi le_mail literó_w
            mail_de make_the no_change nothin_else object_fit of_names page_has replac_the show_the sur_la tabla_de
            the_coupon the_date the_format the_helper the_messag the_parser the_quiz the_two under_the unused_import
            w_stopce wait_for when_a z_index です なる アイ アイコ イコ イコン プ 元测 元测试 列 列表 别 单元 单元测
            右 听 手順 按 文字 書 测 测试 监 监听 缩 置 试 足 逻 逻辑 错 问 问题 颜 颜色 결 결제 날 날짜 드 때 라짐
            보임 사라 사라짐 새로 시 아이콘 이콘 잘림 재 추 추가
        """,
        -30: """
            ^actio ^action ^alph ^alpha ^alphab ^anle ^anleg ^anlege ^anlegen$ ^announced$ ^aria ^aria$ ^arrows
            ^arrows$ ^atten ^attend ^aufs ^behav ^behavi ^behaviou ^behaviour$ ^bitm ^bitma ^bitmap$ ^botó ^botón
            ^botón$ ^brac ^brack ^bracke ^broken ^broken$ ^calcul$ ^caracter ^caracteres$ ^carre ^chil ^child ^chro
            ^chrom ^chrome ^chrome$ ^clip ^cmd$ ^compa ^comple ^conso ^consol ^console$ ^copy ^crlf ^crlf$ ^csv$ ^côté
            ^côté$ ^dark ^dark$ ^deleted$ ^dell ^deps ^deps$ ^desi ^desig ^design ^destroy$ ^disa ^disab ^disabl
            ^doesn ^doesn$ ^don$ ^dot$ ^drag ^draw$ ^earl ^early ^early$ ^elem ^eleme ^elemen ^element$ ^em$ ^emoji$
            ^empty ^encrypti ^encryption$ ^ente ^enter ^error$ ^est$ ^exclui ^excluir$ ^expected ^expected$ ^fall
            ^fals ^fichi ^fichie ^final ^fixt ^fixtu ^fixtur ^flickers ^flickers$ ^forma ^formatar ^formatte
            ^formatter$ ^group ^group$ ^gráfico$ ^handled$ ^hang ^hard ^highlight$ ^hilfe$ ^hintergr ^ignored$
            ^ignores$ ^indic ^init ^ipho ^iphon ^iphone ^iphone$ ^just ^já$ ^knop ^knopf ^knopf$ ^lade ^le$ ^leave
            ^lett ^letters$ ^ligh ^light ^listener ^locale$ ^loop$ ^lowe ^lower ^lower$ ^machines ^machines$ ^manqua
            ^manquant ^merk ^merke ^merken ^merken$ ^modal ^modal$ ^module ^module$ ^moun ^mount ^nach ^names ^neede
            ^needed ^needed$ ^nomb ^nombr ^nombre ^notification$ ^offer ^offl ^offli ^offlin ^offline$ ^open ^ordr
            ^ordre ^ordre$ ^pagam ^phones ^phones$ ^phot ^photo ^pixe ^pixel ^pixel$ ^pl$ ^plik ^pozi ^pozio ^poziom
            ^pric ^prices ^prices$ ^produkt$ ^prop$ ^prue ^prueb ^prueba ^prueba$ ^przycisk$ ^pt$ ^recht ^repea
            ^repeat ^reste ^rewrite$ ^richtig$ ^rtl$ ^résu ^résul ^résult ^résultat ^résultat$ ^schr ^screensh
            ^seconds$ ^seite$ ^shadow$ ^side ^sin$ ^slider ^sorte ^sorted ^sorted$ ^stac ^stack ^stack$ ^start ^sticky
            ^sticky$ ^stren ^streng ^strength ^strength$ ^stro ^stron ^styl ^style ^summa ^summar ^summary$ ^symb
            ^symbo ^symbol ^tablet$ ^telefoni ^telefonie$ ^ten$ ^teste$ ^the$ ^tick$ ^time ^times$ ^tippf ^tippfe
            ^tippfehl ^tippfehler$ ^tito ^titol ^titolo ^titolo$ ^tokeni ^tokenize ^tolt ^tolto ^tolto$ ^trai ^traili
            ^trailing ^trailing$ ^usuń ^usuń$ ^util$ ^vien ^viene ^viene$ ^visib ^volume$ ^vors ^vorsc ^vorsch ^wait
            ^whit ^white ^white$ ^widg ^widge ^widget ^widget$ ^window$ ^work$ ^wydr ^wydru ^wydruk ^wydruku$ ^wywa
            ^wywal ^zasła ^zasłan ^zasłania ^zasłania$ ^zu$ ^взят ^взять ^взять$ ^данн ^данны ^данные ^данные$ ^ключ$
            ^назв ^назва ^назван ^обновл ^опеч ^опеча ^опечат ^опечатка ^опечатка$ ^подск ^подска ^подсказк ^списке
            ^списке$ ^уход ^шири ^ширин a_click after_charac ajoute_un are_not benchm_for bump_eslint calcul_de
            ci_logs column_header côté_client de_caract de_exclui de_px del_campo del_carrit descri_the disk_icon
            doesn_t don_t eine_zeile est_vide fix_the forget_the how_to in_this is_empty is_right json_schema
            la_pantal manca_il modal_de move_the na_telefo nel_titolo no_gráfic number_for off_in on_ci page_de
            passwo_streng per_run przyci_usuń reset_zoom s_only scroll_positi seed_local show_a shows_the się_na
            so_that sur_mobile tax_report the_dialog the_sessio the_sideba the_sign until_reload upgrad_to url_and
            warnin_for when_it which_is works_with в_списке と右 のア のアイ み る ると ると右 ォ カー タン ダ フォ
            ボタ ボタン ルの ロー ー ール 下 两 两次 价格 加载 向 在小 在小屏 常 成 换成 权限 标签 求書 界 的 第 签
            行を 請求書 载 边界 가끔 끔 됨 라 로그 리에 삭재 삭제 성 스크 스트가 컬 트가 포 화
        """,
        -25: """
            ^abge ^abges ^abgesc ^abgeschn ^abgeschnitten$ ^accen ^accent ^action$ ^admin$ ^aggi ^alloc ^alloca
            ^alphabét ^alphabétique$ ^alth ^altho ^althou ^although ^although$ ^ambi ^ambie ^ambien ^ambiente
            ^ambiente$ ^arch$ ^aren ^arrow$ ^as$ ^atte ^attendu$ ^bench$ ^bouto ^bouton ^bouton$ ^br$ ^branch$ ^carrel
            ^carrello ^carrello$ ^cartel ^cartella ^cartella$ ^cat$ ^cell ^ch$ ^chan ^changes$ ^chart$ ^chok ^choke
            ^chokes ^chokes$ ^chor ^clear ^co$ ^colou ^colour ^comman ^contraseñas$ ^correctl ^correctly$ ^dela ^delay
            ^delete$ ^dependen ^desa ^desal ^desali ^desalinh ^desalinhado$ ^dest ^disp ^dopo ^dopo$ ^drag$ ^droi
            ^débo ^débor ^débord ^déborde$ ^each ^each$ ^eart ^earth ^earth$ ^er$ ^ergä ^ergän ^ergänz ^erste ^esem
            ^esemp ^esempi ^esempio$ ^even ^evento ^evento$ ^exists ^exists$ ^extrac ^extract$ ^f$ ^falt ^falta ^fehl
            ^filtros$ ^fixture$ ^flicker$ ^fora ^forgets$ ^fs$ ^fuss ^galle ^galler ^gallery$ ^generate ^generated$
            ^germ ^germa ^german ^german$ ^gira ^girar ^girar$ ^gives ^gives$ ^hide$ ^hints ^hints$ ^hook$ ^hour$
            ^hourl ^hourly ^hourly$ ^ignore$ ^inpu ^input ^invec ^invece ^invece$ ^invo ^issu ^issue ^json ^json$
            ^jump$ ^just$ ^klient$ ^komu ^largo ^lazi ^lazil ^lazily ^lazily$ ^leak$ ^leere ^legen ^legend ^legend$
            ^lette ^letter ^like$ ^mapp ^marker ^marker$ ^mentions ^mentions$ ^migration$ ^migraz ^migrazio
            ^migrazione$ ^minus ^minus$ ^misse ^misses ^misses$ ^monta ^movi ^móvi ^móvil ^nombre$ ^openi ^openin
            ^opening$ ^outp ^outpu ^output ^output$ ^pagame ^pagament ^paie ^paiem ^paieme ^paiement ^paiement$ ^patc
            ^patch ^patch$ ^path ^path$ ^permissõ ^permissões$ ^places ^places$ ^planta ^plantage ^plantage$ ^position
            ^position$ ^precios$ ^prezzo ^prezzo$ ^printe ^przed ^przed$ ^przez ^przez$ ^pági ^págin ^página ^página$
            ^ready ^ready$ ^rechnungsliste$ ^rechnungsvorschau$ ^redim ^redime ^redimens ^refe ^refer ^refere
            ^referenc ^reference$ ^refuso ^refuso$ ^regex ^regex$ ^relat ^reload$ ^replace$ ^reset$ ^resolve$ ^reste$
            ^retri ^retrie ^retry ^retry$ ^role$ ^rows ^rows$ ^seco ^secon ^second ^seit ^selector ^selector$ ^sesio
            ^sesion ^slider$ ^slides ^slides$ ^small$ ^snap ^sortieru ^sortierung$ ^strg ^strg$ ^stri ^swapp ^swappe
            ^swapped$ ^switchin ^switching$ ^tej$ ^teks ^tekst ^tema ^terminal$ ^though$ ^thread$ ^three ^three$ ^tidy
            ^tidy$ ^top$ ^touc ^touch ^trail ^twic ^twice ^twice$ ^ui$ ^undef ^undefi ^undefine ^undefined$ ^upda
            ^updat ^varia ^vent ^visibl ^visible$ ^volume ^vorschau ^vorschau$ ^vue$ ^wait$ ^weil ^weil$ ^whic ^which
            ^which$ ^wrap ^è$ ^ícon ^ícone ^ícone$ ^доба ^добав ^добави ^добавить ^добавить$ ^измен ^кажд ^кажды ^коло
            ^колон ^обно ^обнов ^обновлен ^окна ^окна$ ^по$ ^подст ^подста ^рабо ^работ ^работа ^работает ^работает$
            ^роле ^ролей ^ролей$ ^сорт ^сорти ^сортир ^сортиров ^списка ^стра ^стран ^страни ^ширина ^ширина$ a_pictur
            a_second a_test a_y add_one after_switch and_show animat_of are_in are_swappe at_and behind_the
            button_stays by_hand can_t chokes_on column_in con_nombre contri_guide cut_off de_paieme de_precio do_it
            does_the drop_shadow débord_sur earth_does empty_state fehlt_auf guide_mentio hard_to has_no i_d icône_de
            im_editor import_in in_three invece_di is_alread is_called is_not l_icône link_to liste_des login_form
            login_page make_clean mentio_the missin_for name_in nella_guida new_one no_behavi notes_txt nothin_to
            off_on on_earth on_every one_has openin_a ordre_alphab overla_in passwo_link per_la refuso_nel
            select_relate should_change should_have should_read since_we sortie_nach sql_commen stack_trace stay_as
            tela_de test_delete test_user tests_for the_delete the_image the_langua the_number the_select the_tab
            times_out to_test to_util trace_when tylko_klient unit_tests usar_o va_a where_the why_on with_k with_two
            не_работа い く けで ず だけで になる の文 れてい ジの タンの ラ ロッ ロール ン ンの ード 一 位置 余 余白
            再 写 函 函数 切れ 删除 别字 削 图表 定画 定画面 左 支付 数 文档 明 景 期待 标题错 档 滚 白 管理 缩放 背
            背景 設定 設定画 身 边 错别 错别字 题错 题错别 까 딩 력 로딩 롤 목록 스크롤 실패 역 이면 이콘이 인 입력
            있어 줄이 창 콘이 크롤 트 패 표 하면
        """,
        -20: """
            ^acei ^aceit ^aceita ^aceita$ ^acti ^admi ^admin ^align$ ^aligné ^am$ ^ancho ^archived ^archived$ ^asyn
            ^async ^async$ ^auto ^barra ^barra$ ^benchmark$ ^bold ^brackets ^brackets$ ^brak ^brak$ ^broke$ ^bumps
            ^bumps$ ^cad$ ^cade ^called ^called$ ^canv ^canva ^canvas ^canvas$ ^case ^center ^centr ^centre ^chang
            ^change ^change$ ^class ^clicks ^clicks$ ^code$ ^colour$ ^come ^commande$ ^componente$ ^conte ^country$
            ^dall ^dalla ^dalla$ ^dash$ ^datum$ ^debo ^debou ^deboun ^debounce ^debounce$ ^decimal$ ^decis ^dedu
            ^dedup ^delle ^delle$ ^dependency$ ^design$ ^details$ ^diagr ^diagra ^display$ ^dist ^dock ^docke ^docker
            ^docker$ ^doku$ ^dokum ^dokume ^domin ^drawn ^drawn$ ^eine ^eins ^elli ^ellip ^ellips ^ellipsis ^ellipsis$
            ^empty$ ^ende$ ^espe ^esper ^espera ^esperado ^esperado$ ^except$ ^expe ^expec ^expect ^expla ^explai
            ^fakt ^faktu ^faktur ^falsch$ ^farb ^farbe ^farbe$ ^favo ^fica ^flag$ ^flat ^flex ^flex$ ^foco ^foco$
            ^forge ^forget ^forgo ^forgot ^foru ^forum ^forum$ ^frap ^frapp ^frappe ^frappe$ ^gena ^genau ^gmai ^gmail
            ^gmail$ ^got$ ^hand$ ^hi$ ^hides ^hides$ ^icono ^icono$ ^iden ^ident ^identi ^identica ^identical$ ^if$
            ^interm ^invol ^involv ^involved ^involved$ ^ipad ^ipad$ ^itse ^itsel ^itself ^itself$ ^kg$ ^klic ^klick
            ^klick$ ^lapt ^lapto ^laptop ^laptop$ ^last$ ^leak ^leave$ ^linte ^liste$ ^listener$ ^locals ^localsto
            ^localstorage$ ^lock ^logowania$ ^loses ^loses$ ^lost ^lost$ ^machi ^machin ^max$ ^memo ^mens ^mensa ^mete
            ^meter ^meter$ ^migrations$ ^montan ^montant$ ^musi ^music ^music$ ^módu ^módul ^módulo ^módulo$ ^names$
            ^nich ^nicht ^nichts ^nichts$ ^nubm ^nubme ^nubmer ^nubmer$ ^options$ ^oscu ^oscur ^oscuro ^oscuro$ ^outro
            ^outros ^outros$ ^p$ ^panier$ ^parag ^paragr ^paragrap ^parents$ ^passo ^passos ^passos$ ^perd$ ^pict
            ^pictu ^pictur ^plan ^plur ^plura ^plural ^plural$ ^poka ^pokaz ^pokazu ^pokazuje ^pokazuje$ ^polic ^posit
            ^positi ^potr ^potrz ^potrze ^potrzebn ^potrzebne$ ^pre$ ^priv ^priva ^prun ^prune ^prune$ ^quand ^quand$
            ^quiet ^quiet$ ^reason$ ^reco ^red$ ^redr ^redra ^redraw ^reduce$ ^relate ^related$ ^relative ^relative$
            ^reloa ^reload ^remains$ ^removed$ ^render$ ^repor ^report ^rese ^reset ^resi ^resiz ^resize ^reso ^restar
            ^retin ^retina ^retina$ ^rien ^rien$ ^right$ ^roda ^rola ^ru$ ^rule ^rules ^rules$ ^runn ^rôle ^rôles
            ^rôles$ ^schm ^schma ^schmal ^screenshot$ ^scrollin ^scrolling$ ^secr ^secre ^secret ^sect ^secti ^sectio
            ^section$ ^seite ^shor ^short ^shortcut$ ^sideb ^sideba ^sidebar$ ^sinc ^since ^since$ ^sortie ^space$
            ^spen ^sprin ^stehe ^stehen ^stehen$ ^strip ^strony ^strony$ ^subi ^surf ^surfa ^surfac ^surface$ ^svgs
            ^svgs$ ^swap$ ^temp$ ^templ ^templa ^template ^templates$ ^teste ^theme ^theme$ ^thou ^tippen ^tippen$
            ^titl ^title ^toca ^tokenizer$ ^touche ^traini ^training ^trop$ ^tropp ^troppo ^troppo$ ^tsx$ ^tuto ^tutor
            ^tutori ^tutorial ^tutorial$ ^tłum ^tłuma ^tłumac ^tłumacze ^unte ^update$ ^updated$ ^userse ^userserv
            ^userservice$ ^utente ^utente$ ^valu ^value ^videos ^videos$ ^voic ^voice ^voiceo ^voiceove ^voiceover$
            ^volu ^volum ^wenn ^wenn$ ^went ^went$ ^wide ^wykres$ ^your ^zebr ^zebra ^zebra$ ^всег ^всегд ^всегда
            ^всегда$ ^изме ^испо ^испол ^исполь ^меню ^меню$ ^название ^название$ ^ниче ^ничег ^ничего ^ничего$ ^сбра
            ^сбрас ^сбрасы ^сбрасыва ^сбрасывается$ ^сдви ^спра ^справ ^табл ^табли ^таблиц a_bug a_change a_dash
            after_the aligné_avec am_ende an_emoji and_drop and_get are_missin arrow_keys arrows_in as_they be_the
            behavi_change beim_tippen beim_öffnen both_are comput_from crash_when csv_export de_factur delete_accoun
            drop_down el_icono el_modo en_json error_for exampl_for exists_in export_is file_is file_only first_one
            for_the forgot_passwo from_both from_the front_of guarda_en handle_is hide_it if_it il_manque in_front
            in_german in_rtl in_safari in_tests into_its is_missin key_press la_colonn le_focus le_messag list_should
            main_py manca_la map_flicke messag_when migrat_guide migrat_md modo_oscuro moved_to my_laptop na_tela
            next_to nur_das of_as once_and orders_page os_outros output_of pas_aligné passwo_field pay_button pl_json
            przewi_w remove_unused s_no s_of s_shown sale_de se_sale search_box send_the sessio_timer shop_py
            show_three sign_in size_of spinne_on stays_visibl still_says stop_at string_are test_for text_of the_admin
            the_banner the_billin the_compon the_index the_manual the_model the_orders the_passwo the_player the_run
            the_thread the_timezo them_in to_do to_print toolti_for twice_by until_the va_tolto vat_nubmer what_i
            what_it withou_a wrong_class à_l ícone_de отступ_px かな かない がぼ がぼや が崩 が崩れ が逆 が逆向 ける
            されな で直 にな のみ のロ のロゴ の変 の変更 ぼ ぼや ぼやけ やけ やける れて れな れない イン画 ォン
            ォント ガ コ コンを ゴ ゴが ゴがぼ ッジ デ トが バッジ フォン プレ プレビ ューア レビ レビュ ロゴ ロゴが
            ン画 ン画面 ーア 不清 中文 价格标 住 写错 卡 发 名 名の 名の変 向き 图标和 崩 崩れ 序 底部 式 式下 待 截
            手 文档里 标和 标题 格标 格标签 档里 模式 模式下 正 步 没有 目录 看不 看不清 被 辑不 过期 逆 逆向 逆向き
            逻辑不 里的 面のロ 順 깨 되 들 로 림 문서에 번 빼 사용하 서에 선택 수정 실 용하 우편 우편번 제 첫 택 편번
            편번호 폭
        """,
        -15: """
            ^account$ ^affic ^affich ^alfa ^aligne ^aligned$ ^anch ^anchor ^animac ^animació ^animación$ ^anot ^anoth
            ^anothe ^another$ ^archivos ^archivos$ ^asse ^attached ^attached$ ^attr ^attri ^attrib ^attribut ^atual
            ^ausga ^ausgab ^ausgabe$ ^auth ^benutzen ^benutzen$ ^bild ^blocks ^blocks$ ^blurr ^blurry ^blurry$ ^body
            ^body$ ^bout ^boxe ^boxes ^boxes$ ^bran ^breaks ^breaks$ ^c$ ^cabe ^calls ^calls$ ^cambia$ ^campo ^cart
            ^cas$ ^case$ ^caso ^cdn$ ^celu ^celul ^celula ^celular$ ^checko ^checkout ^checkout$ ^chf$ ^choo ^choos
            ^clear$ ^clic$ ^client$ ^command$ ^comme$ ^compl ^compor ^compose$ ^compu ^comput ^confirmation$ ^connex
            ^connexio ^connexion$ ^conten ^contrase ^converte ^converter$ ^coupé ^coupé$ ^cover$ ^currency ^currency$
            ^das$ ^debe ^debe$ ^demo ^demo$ ^dependencies$ ^deprecationwarning$ ^desp ^despl ^detr ^detrá ^detrás
            ^detrás$ ^dial ^dialo ^dialog ^dialog$ ^direct ^docst ^docstr ^docstrin ^docstring$ ^documentar$ ^doppe
            ^doppel ^doppelt$ ^down$ ^droit ^droits ^droits$ ^déca ^décal ^décalé ^décalée$ ^ekra ^ekran ^ekrani
            ^ekranie$ ^emojis ^emojis$ ^empt ^equa ^equal ^equal$ ^ergänzen ^ergänzen$ ^erra ^errad ^errada ^errada$
            ^erre ^erreu ^erreur ^es$ ^exist$ ^explain$ ^faile ^failed ^failed$ ^falta$ ^fica$ ^fila ^fila$ ^fit$
            ^flag ^fron ^front ^gall ^generato ^generator$ ^git$ ^give ^gree ^grep ^grep$ ^grid ^grid$ ^happ ^header$
            ^heig ^heigh ^height ^height$ ^help$ ^helpers$ ^house$ ^init$ ^input$ ^insid ^inside ^inside$ ^inst
            ^intermit ^intermitente$ ^inva ^inval ^invali ^invoices ^invoices$ ^jedem ^jedem$ ^jest ^jest$ ^js$ ^kass
            ^kasse ^kassen ^keeps ^keeps$ ^keys ^kluc ^klucz ^klucz$ ^kole ^kolej ^kolejn ^kolejnoś ^kolejność$ ^later
            ^layo ^layou ^layout ^layout$ ^leere$ ^liegt ^liegt$ ^lieu ^lieu$ ^locall ^locally$ ^lock$ ^líne ^línea
            ^mach ^made ^made$ ^many ^many$ ^mensag ^mensagem ^mensagem$ ^monitor$ ^mostr ^mostra ^même ^même$ ^móvil$
            ^name ^name$ ^ness ^nessu ^nessun ^neu$ ^nie$ ^norm ^norma ^normal ^oben ^oben$ ^offe ^opens ^orm$ ^padd
            ^paddi ^paddin ^padding$ ^pagamento$ ^pape ^papel ^papele ^papelera ^papelera$ ^paragraphs$ ^partic ^pass$
            ^passe ^photo$ ^pipe ^plan$ ^plik$ ^porq ^porqu ^porque ^porque$ ^pour ^pour$ ^pr$ ^prel ^prelo ^preloa
            ^preload$ ^printer$ ^przewija ^pure ^purg ^purge ^queda$ ^queri ^querie ^queries$ ^quot ^quote ^rais
            ^raise ^raise$ ^rand ^razy ^razy$ ^reche ^recher ^recherch ^recherche$ ^rechte ^recie ^reciev ^refus
            ^registered$ ^rela ^removes$ ^remp ^rempl ^repeat$ ^repro ^reprod ^reproduc ^resize$ ^resol ^resolv ^rest
            ^resto ^rewr ^rewri ^rewrit ^righ ^right ^roll ^rolle ^rota ^rotat ^ruff ^ruff$ ^runne ^runner ^sbag
            ^sbagl ^sbagli ^sbagliat ^scan$ ^screen$ ^sees ^sees$ ^senh ^senha ^senha$ ^sensi ^sente ^senten ^sentence
            ^separato ^separator$ ^shortc ^shortcut ^shorte ^sich$ ^slee ^sleep ^someo ^someon ^someone$ ^spaces
            ^spaces$ ^spec$ ^starts ^stays ^stays$ ^stop ^story$ ^strin ^string ^string$ ^strong ^strong$ ^stuc ^stuck
            ^stuck$ ^subir ^subir$ ^subj ^subje ^subjec ^sugg ^sugge ^sugges ^tabu ^tabul ^tabula ^telas ^telas$ ^tele
            ^telef ^telefo ^tema$ ^term ^texte ^texte$ ^threa ^thread ^times ^trac ^trace ^trace$ ^training$
            ^translated$ ^tree ^tree$ ^tri$ ^trip ^trun ^trunc ^trunca ^truncate ^tty$ ^typee ^typeer ^typeerro
            ^typeerror$ ^unkn ^unkno ^unknow ^unknown$ ^utils ^utils$ ^values ^values$ ^vazi ^veze ^vezes ^vezes$
            ^video$ ^wante ^wanted ^wanted$ ^watc ^watch ^weit ^weite ^weiter ^well ^well$ ^works$ ^wrapp ^wrappe
            ^wraps ^wraps$ ^wysz ^wyszu ^wyszuk ^wyszukiw ^yet$ ^zoomi ^zoomin ^zooming$ ^zweit ^zweite ^édit ^édite
            ^éditeu ^éditeur$ ^öffn ^öffne ^должно ^должно$ ^если ^если$ ^как$ ^колонк ^колонки$ ^комп ^ночь ^ночью
            ^ночью$ ^оста ^пере ^перево ^тест ^удале ^удален a_fresh a_note a_tty add_dark align_items alphab_in
            an_hour and_i and_test at_once au_lieu author_field bar_in bei_jedem billin_page but_the by_one dans_fr
            dans_la dark_mode date_in delete_key detrás_del docs_how du_panier dwa_razy em_telas en_el en_móvil end_of
            errada_no est_coupé every_s exampl_in fails_on fixed_props for_attach for_this fr_json hints_overla
            histor_table icono_de icône_du in_every in_gmail in_it in_paymen in_wrong index_page iphone_se it_after
            key_hints kill_the l_éditeu la_animac la_cartel la_página la_recher le_bouton le_calcul lieu_de line_in
            line_is links_to loses_its min_width missin_in missin_on moves_the nach_oben names_push never_stops
            no_cambia non_si nur_anzeig of_with off_screen on_mobile on_small page_and page_of panier_est
            paymen_method picker_are plural_in positi_sticky price_column print_the push_the put_the schema_docs
            scroll_to senten_and sign_up spring_beim starts_at t_be tag_icon test_interm tests_für text_isn the_addres
            the_cache the_cdn the_chart the_ci the_commen the_debug the_invoic the_logo the_mail the_name the_paymen
            the_pdf the_place the_plural the_price the_print the_produc the_progre the_reques the_right the_roundi
            the_same the_screen the_secret the_status the_top the_total the_upgrad the_zone tmp_path to_rotate
            toolti_of typo_in une_ligne unread_badge uses_the when_there wie_bei ya_no должно_быть ничего_не опечат_в
            いる が古 が古い され ずれ だけ ている のフ のフォ の列 や れる クロ クロー コンが スクロ ソ テス テスト
            ンを ージの 像 写错了 削除 功 化 即 底 度 张 成功 数が 显 書一 書一覧 有问 有问题 望 权线 果 求書一 没问
            没问题 的那 直し 直して 示さ 示され 端 第一 管 結 結果 给 表示さ 設 超 込 过 进 那 重な 错了 降 限 내역 뉴
            도록 디 록 리 메뉴 면 새 스트 인트 잘립 잘립니 테 테스 테스트 포인 포인트 확 확인 환
        """,
        -10: """
            ^access$ ^after$ ^angl ^angla ^anglai ^anglais$ ^auto$ ^bleibt ^bleibt$ ^blur ^book$ ^botto ^bottom
            ^bottom$ ^branc ^branch ^calculat ^calculation$ ^cale ^calen ^calend ^calle ^camp ^ce$ ^coma ^coman
            ^comand ^comma ^computed ^computed$ ^confirma ^copy$ ^correc ^cpf$ ^datu ^datum ^dem$ ^eliminar$ ^esc$
            ^even$ ^event ^fatu ^fatur ^fatura ^favou ^favour ^favourit ^favourite$ ^fecha ^fecha$ ^finds ^finds$
            ^fine ^fine$ ^flat$ ^folders$ ^format ^function$ ^grafa ^grafan ^grafana$ ^happe ^happen ^heade ^header
            ^headi ^headin ^hook ^hori ^horiz ^horizo ^horizont ^invoi ^invoic ^jan$ ^la$ ^leaves ^leaves$ ^leer
            ^light$ ^like ^link ^links ^links$ ^lleg ^llega ^loadi ^loadin ^loading$ ^loads ^loads$ ^low$ ^memor
            ^memory ^memory$ ^mini ^model ^mone ^monthl ^monthly$ ^moved ^moved$ ^nega ^negat ^negati ^nest ^numer$
            ^odpo ^odpow ^odpowi ^odpowied ^odpowiedzi$ ^opti ^optio ^option ^pack ^packa ^packag ^package$ ^panie
            ^panier ^plai ^plain ^plain$ ^prez ^prezz ^printed$ ^privac ^privacy$ ^prix ^prix$ ^prob ^profile$ ^promp
            ^prompt ^prompt$ ^prze ^pust ^rabatt ^rando ^random ^random$ ^recor ^release$ ^rena ^renam ^rename
            ^rename$ ^rend ^resu ^resul ^result ^rm$ ^ruol ^ruolo ^ruolo$ ^salv ^salva ^schre ^schrei ^sent ^servic
            ^shap ^shape ^shif ^shift ^shift$ ^sorti ^spal ^spalt ^spalte ^spel ^spell ^start$ ^su$ ^subject$ ^subm
            ^submi ^submit ^subscrip ^subscription$ ^tablet ^tabs ^tag$ ^termi ^termin ^texto ^texto$ ^timez ^timezo
            ^timezone ^timezone$ ^tmp$ ^todo$ ^try$ ^unrea ^unter ^upgr ^upgra ^upgrad ^vez$ ^visu ^visua ^visual
            ^visual$ ^warning$ ^wher ^where ^where$ ^wide$ ^write ^write$ ^za$ ^à$ ^écra ^écran ^écran$ ^из$ ^открыв
            ^открывае ^открывается$ ^пользо ^пользова ^скри alread_in are_cut build_script by_the den_rabatt desali_no
            do_mês docker_compos docs_genera en_anglai end_to export_button extrac_the filter_bar für_den in_test
            invoic_is is_comput is_listed key_repeat last_row lista_de off_by price_tag px_wide return_the s_a
            screen_shows sessio_list since_the t_sorted table_of test_end the_build the_member the_search the_text
            the_unit throug_the to_end too_low up_the white_space wraps_in écran_de ァ ス テ ファ モ ロ 事 付 体 删 单
            只 大 검 검색 러 메 색상 수 에서 출 호출
        """,
        -5: """
            ^afte ^after ^again$ ^atta ^attac ^attach ^confir ^depe ^depen ^depend ^des$ ^en$ ^export$ ^firs ^first
            ^folde ^folder ^handl ^handle ^keys$ ^later$ ^não$ ^paren ^parent ^posi ^price ^quer ^script$ ^session$
            ^should$ ^sort$ ^tabla ^tabla$ ^upgrade$ ^перев the_docs される す 和 在 목
        """,
        0: """
            ^tabl さ
        """,
    },
}
