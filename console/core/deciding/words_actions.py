"""Words of acting: what somebody wants done, or now and later. In eleven languages, sorted.

A star is where a stem is open, _ a space. Chinese, Japanese and Korean words are looked for inside the text, the others
at word borders. No rule lives here.
"""

ACTIONS: dict[str, str] = {
    "ADD": """
        acrescent* add added adding adds adicion* aggiung* agreg* ajout* allow allows anleg* añad* bekommt brauchen
        braucht consentire crear creare creat* criar créer doda* einbau* einführ* ergänz* erlaub* extend* hace_falta
        hinzu* implement* implementar incluir incorpor* inserire instaurer introdu* introduc* introdui* make
        mettre_en_place necesit* need needs neu neue neuen neuer neues new nouvea* nouvel* nova novas novo novos
        nowa nowe nowej nowy nową nuev* nuova nuovo permettre permitir potrzeb* precis* provide prévoir serve
        stworz* support umożliw* utworz* wprowadz* введ* ввест* добав* завест* нов* нужн* разреш* сделать созда*
        作成 加え 加一个 加上 加个 增加 導入 引入 支持 新しい 新增 新建 新設 添加 設け 追加 需要 도입 새로운 생성
        신규 추가 필요
    """,
    "REMOVE": """
        abandonn* abschaff* abschalt* apag* aufräum* borr* cancell* dar_de_baja decommission* delet* desactiv*
        desativ* discontinu* dismett* drop dropped dropping drops débarrass* effac* elimin* eliminat* enlev*
        entfern* entfällt exclu* fällt_weg gelöscht* get_rid goes gone kasow* kill killed lösch* pozby* quitar raus
        rauswerf* remov* retir* retirar retire* rid_of rimoss* rimoz* rimuov* shut_down skasow* streich* strip
        stripped sunset* suppression supprim* suprim* switch_off tear_*down throw_away throw_out toglier* unpublish*
        usun* usuw* wegfall* wegräum* wycof* wyrzuc* wyłącz* выкин* выпил* избав* отключ* снест* стере* убер* убир*
        убра* удал* やめる 下线 删 删掉 删除 削除 去掉 取り除 废弃 廃止 撤去 消す 消去 清掉 砍掉 移走 移除 삭제 없애
        제거 지우 지워 폐기
    """,
    "RENAME": """
        call_it heisst heißen heißt nazyw* przemianow* rebaptis* renam* rename renombr* renome* renomea* renomm*
        rinomin* shall_be_called umbenannt* umbenenn* umzubenenn* zmian*_nazw* zmien*_nazw* назыв* переимен*
        リネーム 名前を変 名称を変 改名 改称 更名 统一为 统一成 重命名 개명 이름_변경 이름을 이름을_바
    """,
    "CHANGE": """
        ab_sofort adjust* alter* andrebbe au_lieu aufteil* basculer become* becomes bump cambi* chang* conver*
        convert* da_ora devolver devuelv* divid* dividir désormais em_vez en_lugar en_vez ersetz* fold from_now_on
        fusionn* geändert* instead_of interpret* invece künftig liefern liefert merge* modifi* modific* mov* move
        mudança mudar pasa pasar passa passar passare passe passer połącz* przejś* przenie* rather_than redesign*
        reemplaz* remplac* renvoy* replac* restitui* retornar return returned returns rework* rozdziel* répondre
        sostitu* split* statt substitu* sustitu* switch* troc* turn turns umgestellt* umstell* umwandel* unific*
        unify vanno vereinheitlich* wechsel* zamiast zamien* zastąp* zmian* zmien* zurückgeben zusammenführ* zwraca*
        änder* вместо возвраща* замен* измен* объедин* перев* перейти перенес* поменя* раздел* разнес* сделать 修改
        修正 分割 切り替 变更 合并 変換 変更 拆分 换成 改为 改成 改用 替换 統合 置き換 调整 转换 返す 返却 返回 교체
        바꾸 바꿔 반환 변경 변환 분리 수정 전환 통합 합치
    """,
    "WANT": """
        debe deben deve devem devono devra doit doivent musi muss must muszą müssen needs_to ought powin* shall
        should should_be soll sollen tem_que должн* べき 应当 应该 必要 해야
    """,
    "STORE": """
        abgelegt* ableg* almacen* archivi* armazen* carry conserv* enregistr* festhalten garder gemerkt*
        gespeichert* gravar guard* hinterleg* hold holds keep keeps kept lembr* memorizz* merken mémoris* pamięta*
        persist* przechow* record record* recorded registr* remember* retenir ricord* salv* save saved saves
        speicher* stock* stor* tener* tenuti track zapamięt* zapis* запис* запомин* сохран* хранен* храни* 保存 保持
        存 存为 存储 存成 格納 永続化 落库 記録 记录 기록 기억 보관 저장
    """,
    "REVEAL": """
        abrir abruf* acced* acceso access* accesso accès accéd* acess* affich* angezeigt* anzeig* aprir* baixar
        consult* czyta* descarg* display* dostęp* download* edit edits einseh* exib* expos* find finds guess
        herunterlad* leak* leer legger* ler lesen lire list lists mostr* muestr* open opened opens otworz* ouvrir
        pobra* pokaz* read reads saw scaric* see seeing sees sehe sehen show shown shows sichtbar* sieht télécharg*
        ve vede veder* vedono veem ven ver view views visibil* visible visible* visív* voient voir voit vê widać
        widoczn* widzi* zobacz* zugreif* zugriff* öffnen вид* видн* доступ* откры* открыва* показыв* просм* скача*
        чита* アクセス 下载 参照 打开 暴露 查看 泄露 漏 看到 看见 表示 見える 見られ 読め 访问 读取 開け 閲覧 노출
        다운로드 보이 보임 보입 볼_수 볼수 열람 열어 접근 조회
    """,
    "COMPUTE": """
        abbuch* abgebucht* add_up addebit* angewendet* anwend* aplic* applic* applied applies appliqu* apply
        arredond* arrond* arroton* augment* aument* baiss* baj* belast* berechn* bezahl* bill billed billing bills
        calcol* calcul* calculat* cap capped charge charges charging cobr* comput* cost costs decrease* deduct*
        descont* dolicz* double débit* erhöh* factur* gerundet* half halve* increase* kosten kostet lower* multipl*
        nalicz* obciąż* oblicz* obniż* odlicz* off_by paga pagado pagam pagan pagano pagar pagare pagati pago paid
        paie* pay payer pays payé* pobier* pobra* podnie* prélev* płac* raise* redonde* reduz* ridu* round* runden
        rundet rundung scala* senk* soma somam somar somma sommare sommati sub*ir subtract* sum suma suman sumar
        summed sums twice verrechn* zahl* zaokrągl* zapłac* взим* начисл* округл* оплат* плат* подня* примен* рассч*
        расчет* расчёт* снизи* списа* списыв* счита* 丸め 値上げ 切り上げ 切り捨て 取整 四捨五入 四舍五入 多退
        引き落と 扣 扣款 扣除 按 支払 收取 收费 涨 算 計算 課金 請求 计算 適用 降 결제 계산 반올림 버림 부과 인상
        인하 적용 차감 청구
    """,
    "MAY": """
        able_to allowed apenas can could darf debería dürfen kann können may mogą może must_not ne_doit ne_doivent
        nur only permission_to peut peuvent pode podem possono puede pueden può right_to seul seule seuls shall_not
        should_not solamente solo soltanto somente só sólo tylko uniquement запретить могут может можно нельзя
        разрешить только だけ できない できる のみ 不允许 不能 仅 只允许 只能 可以 可能 禁止 許可 금지 만 못하게
        수_있 허용
    """,
    "MANY": """
        diverse diversi kilka many many_to mehrere mehreren more_than_one multiple più_di_un plusieurs several
        varias varios várias vários wiele wielu нескольких несколько 多个 若干 複数 여러
    """,
    "SWITCHED": """
        ab_sofort actualmente actuellement adesso agora ahora aktuell at_the_moment attualmente atualmente até_agora
        au_lieu_de aujourd'hui bisher currently derzeit dotąd finora from_january from_june hasta_ahora hoje
        instead_of jusqu'ici momentan now obecnie oggi previously right_now so_far starting statt teraz today
        until_now used_to пока раньше с_июня с_января сейчас 之前是 今は 今まで 原来 月から 来月から 现在 現在 目前
        기존에는 다음_달 지금 현재
    """,
    "OWN": """
        eigene eigenen eigenes her_own his_own i_propri le_proprie les_siennes les_siens own_course own_data
        own_orders own_team propias propios ses_propres seus_próprios suas_próprias suoi suyas suyos swoich swoje
        swój their_own theirs your_own своего своей свои своих 本人 自分の 自己的 自社の 自部署 본인 자기 자신의
    """,
    "AGE_WORD": """
        anni années anos ans años days dias dni días giorni jahre jahren jours lat meses mesi miesięcy mois monate
        monaten months older tagen weeks year_old years года дней лет месяц* か月 ヶ月 个月 天 年以上 年前 日以上
        개월 년 일
    """,
}
