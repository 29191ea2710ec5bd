"""Words of acting, in eleven languages: what somebody wants done. A star is where a stem is open, _ a space.

Chinese, Japanese and Korean words are looked for inside the text, the others at word borders. No rule lives here.
"""

ACTIONS: dict[str, str] = {
    "ADD": """add adds adding added introduc* creat* new need needs extend* provide allow allows support implement* make
        ajout* créer introdui* nouvea* nouvel* mettre_en_place permettre prévoir instaurer
        hinzu* ergänz* anleg* einführ* einbau* neue neuer neues neuen neu bekommt braucht brauchen erlaub*
        añad* agreg* crear nuev* introduc* permitir incorpor* necesit* hace_falta
        adicion* criar novo nova novos novas acrescent* incluir permitir precis* implementar
        aggiung* creare nuovo nuova introdu* serve consentire inserire
        doda* utworz* nowe nowy nowa nową nowej wprowadz* potrzeb* umożliw* stworz*
        добав* созда* нов* ввест* введ* нужн* завест* сделать разреш*
        新增 添加 增加 加上 新建 加一个 加个 支持 需要 引入 追加 新設 作成 新しい 導入 設け 加え 추가 신규 생성 도입 새로운 필요""",
    "REMOVE": """remov* drop drops dropped dropping delet* discontinu* retire* eliminat* get_rid rid_of strip stripped sunset*
        kill killed gone goes tear_*down throw_away throw_out unpublish* decommission* shut_down switch_off
        supprim* retir* enlev* abandonn* effac* suppression débarrass*
        entfern* lösch* gelöscht* abschalt* streich* wegfall* abschaff* rauswerf* aufräum* wegräum* fällt_weg entfällt raus
        elimin* borr* quitar suprim* retirar dar_de_baja desactiv*
        remov* apag* exclu* retirar desativ* delet*
        rimuov* rimoz* rimoss* elimin* toglier* cancell* dismett*
        usun* usuw* skasow* kasow* wyrzuc* wycof* wyłącz* pozby*
        удал* убра* убир* убер* выпил* отключ* снест* выкин* стере* избав*
        删除 移除 去掉 下线 废弃 删掉 清掉 删 移走 砍掉 削除 廃止 取り除 消す 消去 撤去 やめる 삭제 제거 없애 폐기 지우 지워""",
    "RENAME": """renam* rename  call_it shall_be_called renomm* rebaptis* umbenenn* umbenannt* umzubenenn* heißen heisst
        heißt renombr* renomea* renome* rinomin* przemianow* zmien*_nazw* zmian*_nazw* nazyw* переимен* назыв*
        重命名 改名 更名 统一为 统一成 改名 リネーム 名前を変 名称を変 改称 이름을_바 이름_변경 이름을 개명""",
    "CHANGE": """chang* convert* replac* switch* split* turn turns become* becomes instead_of rather_than from_now_on
        interpret* mov* move merge* fold unify rework* redesign* adjust* bump return returns returned 
        
        remplac* conver* modifi* chang* basculer passer passe désormais répondre renvoy* au_lieu fusionn*
        ersetz* änder* geändert* umstell* umgestellt* künftig ab_sofort statt liefern liefert wechsel*
        zurückgeben umwandel* aufteil* zusammenführ* vereinheitlich*
        reemplaz* cambi* pasar pasa convert* sustitu* modific* devolver devuelv* en_vez en_lugar dividir unific*
        substitu* mudar mudança troc* alter* convert* passar devolver retornar em_vez dividir unific* 
        sostitu* cambi* passare passa modific* convert* restitui* invece divid* unific* vanno andrebbe da_ora
        zmien* zmian* zastąp* zamien* przejś* zwraca* zamiast rozdziel* połącz* przenie*
        замен* измен* поменя* перейти перев* вместо возвраща* разнес* раздел* объедин* перенес* сделать
        改为 改成 替换 转换 拆分 改用 换成 合并 返回 调整 修改 变更 変更 置き換 変換 分割 切り替 統合 返す 返却 修正
        변경 교체 전환 바꾸 바꿔 분리 통합 반환 수정 합치 변환""",
    "WANT": """must should shall doit doivent devra muss müssen soll sollen debe deben deve devem devono tem_que powin* musi muszą должн* 应该 应当 should_be needs_to ought べき 必要 해야
        """,
    "STORE": """stor* persist* save saved saves keep keeps kept remember* record recorded track carry hold holds
        stock* enregistr* conserv* mémoris* retenir garder
        speicher* gespeichert* ableg* abgelegt* merken gemerkt* festhalten hinterleg*
        guard* almacen* registr* record* conserv*
        guard* armazen* salv* registr* lembr* gravar
        salv* memorizz* conserv* ricord* registr* tener* tenuti archivi*
        zapis* przechow* zapamięt* pamięta*
        храни* хранен* сохран* запомин* запис*
        存储 保存 记录 存成 存为 落库 存 保持 記録 格納 永続化 저장 보관 기록 기억""",
    "REVEAL": """see sees seeing saw open opens opened read reads access* view views show shows shown find finds download*
        expos* leak* visible display* list lists edit edits guess
        voit voient voir lire accéd* accès affich* visible* consult* télécharg* ouvrir
        sieht sehen sehe lesen zugreif* zugriff* anzeig* angezeigt* sichtbar* einseh* öffnen herunterlad* abruf*
        ve ven ver leer acced* acceso muestr* mostr* visible* descarg* abrir consult*
        vê veem ver ler acess* mostr* visív* baixar abrir exib*
        vede vedono veder* legger* acced* accesso mostr* visibil* scaric* aprir*
        widzi* widać zobacz* czyta* dostęp* pokaz* widoczn* pobra* otworz*
        вид* видн* просм* чита* доступ* показыв* открыва* откры* скача*
        看到 查看 访问 读取 看见 下载 泄露 打开 暴露 見える 見られ 閲覧 参照 アクセス 読め 漏 開け 表示
        볼_수 보이 보임 보입 조회 열람 접근 노출 다운로드 볼수 열어""",
    "COMPUTE": """calculat* comput* round* sum sums summed add_up charge charges charging apply applies applied  multipl* deduct* subtract*
        off_by cap capped raise* lower* increase* decrease* halve* double half twice pay pays paid bill billed billing bills cost costs
        calcul* arrond* factur* appliqu* débit* prélev* augment* baiss* paie* payer payé*
        berechn* runden rundet rundung gerundet* abgebucht* abbuch* verrechn* anwend* angewendet* erhöh* senk* bezahl* zahl* belast* kosten kostet
        calcul* redonde* cobr* aplic* sumar suma suman pagar paga pagan pago pagado pagam pagano pagare pagati sub*ir baj* descont* aument*
        calcul* arredond* cobr* aplic* somar soma somam pagar paga pagan pago pagado pagam pagano pagare pagati aument* descont* reduz*
        calcol* arroton* addebit* applic* somma sommare sommati pagar paga pagan pago pagado pagam pagano pagare pagati aument* scala* ridu*
        oblicz* nalicz* zaokrągl* pobier* pobra* dolicz* odlicz* płac* obciąż* podnie* obniż* zapłac*
        счита* рассч* расчет* расчёт* округл* списыв* списа* начисл* примен* оплат* плат* взим* подня* снизи*
        计算 四舍五入 取整 扣款 扣除 收取 按 收费 涨 降 多退 扣 算 計算 四捨五入 切り捨て 切り上げ 丸め 課金 請求 適用 引き落と 値上げ 支払
        계산 반올림 버림 청구 결제 적용 차감 부과 인상 인하""",
}
