"""Words of security and of money, in eleven languages. See words_actions for the notation."""

SECURITY: dict[str, str] = {
    "SEC_HARD": """2fa mfa totp two-factor two_factor second_factor sso saml oauth* oidc ldap jwt csrf xss ssrf cors sql_injection vulnerab* cve* hsts
        samesite httponly brute_force brute-force lock_out locked_out password_policy password_reset reset_link api_key* api-key* secret secrets credential*
        privilege* escalation impersonat* encrypt* decrypt* hashing bcrypt argon2 md5 sha1 path_traversal directory_traversal open_redirect sandbox_escape
        access_control access_check permission_check tenant_isolation row-level personal_data gdpr pii sign-in_link magic_link stay_signed 
        signing_key private_key certificate_check tls ssl unauthenticated unauthori* audit_log allowlist onerror passkey* webauthn recovery_code* access_token* refresh_token* bearer
        faille* authentifi* double_authentification chiffr* déchiffr* droits_d'accès données_personnelles isolation réinitialisation_du_mot
        zwei-faktor* zweifaktor* sicherheitslücke* verschlüssel* authentifizier* zugriffsrecht* berechtigung* *berechtigung personenbezogen* anmeldeversuch* mandant*
        vulnerabilidad* cifr* autentic* doble_factor segundo_factor permisos datos_personales inyección
        vulnerabilidad* criptograf* autentic* dois_fatores permissão permissões dados_pessoais redefinição
        vulnerabilit* crittograf* cifra* autentic* due_fattori dati_personali autorizz*
        podatnoś* szyfr* uwierzyteln* dwuskładnik* uprawnie* dane_osobowe danych_osobowych autoryz*
        уязвим* шифр* аутентиф* двухфактор* права_доступа персональн* авториз* прав_доступа
        漏洞 注入 鉴权 越权 双因素 二次验证 两步验证 加密 权限 脱敏 单点登录 验证码 密钥 未授权 租户 脆弱性 認証 認可 二要素 二段階 暗号化 権限 個人情報 ハッシュ化 テナント
        취약점 인증 2단계 이중_인증 암호화 권한 개인정보 탈취 테넌트 인가""",
    "SEC_SOFT": """password* login log_in logged_in logs_in sign_out sign-out logout session sessions token tokens permission* role roles admin admins cookie cookies auth
        guest guests moderator* private confidential invite* invitation* authoriz* authenticat* hash* account_lock expiry
        mot_de_passe mots_de_passe connexion session jeton* rôle* droit droits administrateur* cookie* invité* privé* confidenti* expir*
        passwort* passwörter kennwort* anmeld* login sitzung* token rolle rollen rechte administrator* cookie* gast gäste privat* abgelaufen* einladung* admins
        contraseña* sesión sesiones token rol roles permiso* administrador* cookie invitado* privad* caduc* iniciar_sesión
        senha* sessão sessões token papel papéis administrador* cookie convidado* privad* expir* login
        password sessione sessioni token ruolo ruoli amministrator* cookie ospit* privat* scad* login accesso
        hasł* logow* zalogow* sesj* token tokens tokena tokenu tokeny rol* administrator* ciasteczk* gość gości prywatn* wygas* zaprosze*
        парол* вход* логин* сесси* токен* рол* права админ* куки гост* приватн* закрыт* приглашен* истека*
        密码 登录 会话 令牌 角色 管理员 cookie 私有 访客 过期 token パスワード ログイン セッション トークン ロール 管理者 非公開 ゲスト 有効期限
        비밀번호 로그인 세션 토큰 역할 관리자 비공개 게스트 만료""",
    "OTHERS": """somebody_else* someone_else* other_people* other_tenant* other_customer* other_user* others stranger* another_tenant another_user another_customer another_company another_shop
        other_shops other_companies other_teams foreign without_permission without_login without_being not_logged not_a_member not_allowed should_not_be_able
        only_the_owner anybody everybody anyone everyone any_user private_channel* competitors
        autres_boutiques autres_clients autre_client autrui d'un_autre d'autres autres_vendeurs autres_utilisateurs n'importe_qui sans_être_connecté
        fremde fremden fremder anderer_kunden anderer_mandanten anderen_kunden anderer_nutzer anderer jeder ohne_anmeldung unbefugt*
        otros_clientes otro_cliente otros_usuarios otro_usuario ajen* otras_empresas cualquiera sin_iniciar otros
        outros_clientes outro_cliente outros_usuários outro_usuário de_outro outra_empresa outras_empresas qualquer_um qualquer_pessoa sem_login
        altrui altri_clienti altri_utenti altro_cliente altro_utente altre_aziende chiunque senza_login
        cudz* innych_klientów innych_użytkowników innego_użytkownika innej_firmy każdy bez_logowania
        чуж* других_пользовател* других_клиент* другого_пользовател* других_компан* любой без_авторизац*
        别人的 其他用户 他人 其他租户 其他公司 任何人 别的 其他商家 他人の 他の利用者 他のユーザー 他社 別のユーザー 誰でも 第三者
        다른_사람 다른_사용자 다른_회원 타인 다른_회사 누구나 다른_고객 남의 다른_업체""",
}

MONEY: dict[str, str] = {
    "PAY": """price prices pricing priced invoice* refund* tax taxes vat discount* voucher* coupon* surcharge* fee fees charge charges charged billing bill bills billed
        subscription* payment* payout* commission* shipping_cost* free_shipping shipping_fee* currency currencies exchange_rate* cent cents rounding total totals subtotal
        amount amounts cart_total paypal stripe adyen klarna prorat* pro-rat* dunning gift_card* credit_note* credits salary salaries
        payroll wage* interest_rate* list_price half_price cash_back cashback loyalty_points iban sepa reverse_charge
        prix tarif* facture* factur* rembours* taxe* tva remise* bon_de_réduction frais paiement* commission* devise* arrondi* montant* abonnement* acompte* solde pourboire
        preis preise preisen *preis *preise *zuschlag *gebühr *betrag *rabatt rechnung rechnungen *rechnung rabatt* gutschein* gebühr* steuer* mehrwertsteuer* mwst umsatzsteuer*
        erstattung* rückerstatt* zahlung* versandkosten* währung* betrag beträge gutschrift* abo abonnement* provision* zuschlag* skonto anzahlung* netto brutto *kosten
        precio* factura* reembols* impuesto* iva descuento* cupón cupones recargo* comisión comisiones pago pagos gastos_de_envío moneda* divisa* importe* suscripci* tarifa* saldo propina*
        preço* fatura* nota_fiscal reembols* estorn* imposto* icms desconto* cupom cupons taxa taxas comissão comissões pagamento* frete moeda* valor_total assinatura* saldo parcela* cobrança* juros
        prezz* fattur* rimbors* impost* iva scont* buon* sovrapprezz* commission* pagament* spese_di_spedizione valut* import* abbonament* tariff* saldo canone
        cen cena ceny cenę cenie faktur* zwrot* podat* vat rabat* zniżk* kupon* opłat* prowizj* płatnoś* koszt*_dostawy walut* kwot* subskrypcj* abonament* saldo naliczan*
        цен* счет счёт счета счетов возврат* налог* ндс скидк* купон* промокод* комисси* оплат* платеж* платёж* доставк*_бесплатн* валют* сумм* подписк* тариф* баланс* чек
        价格 发票 退款 税 税率 折扣 优惠 优惠券 手续费 佣金 支付 付款 运费 汇率 货币 金额 订阅 单价 扣费 账单 满减 会员费 提现 余额 価格 請求 請求書 返金 税率 消費税 割引
        クーポン 手数料 支払 決済 送料 通貨 金額 料金 サブスク 給与 가격 청구 청구서 인보이스 환불 세금 부가세 세율 할인 쿠폰 수수료 결제 배송비 환율 통화 금액 구독 요금 적립금 포인트 급여""",
    "PAY_HARD": """billed_twice charged_twice pay_twice paid_twice double_charge* refund_amount tax_rate* vat_rate* exchange_rate* price_increase free_shipping capture_method paymentintent
        idempotency_key rounded_lines round_the_sum rounding net_price gross_price half_of_the half_price pro-rat* prorat* dunning payout* commission surcharge reverse_charge
        taux_de_tva taux_réduit frais_de_port double_débit prélevé_deux deux_fois débité*
        steuersatz* mehrwertsteuersatz doppelt_abgebucht zweimal_abgebucht versandkostenfrei* rundung* *zuschlag mindermengen*
        tipo_de_iva envío_gratis cobrado_dos cobra_dos dos_veces redondeo
        alíquota* frete_grátis cobrado_duas cobrança_dupla duas_vezes arredondamento
        aliquot* spedizione_gratuita addebit* arrotondament* due_volte
        stawk* darmow*_dostaw* podwójn* zaokrągl* dwa_razy
        ставк*_ндс ставк* двойное_списан* дважды округлен* бесплатн*_доставк*
        税率 包邮 重复扣款 四舍五入 满减 退款金额 退还 分摊 运费 税率 二重請求 二重課金 端数 送料無料 세율 무료_배송 이중_결제 중복_결제 반올림 배송비""",
}
