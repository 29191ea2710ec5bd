"""Words of what somebody pays or is paid. In eleven languages, sorted.

A star is where a stem is open, _ a space. Chinese, Japanese and Korean words are looked for inside the text, the others
at word borders. No rule lives here.
"""

PAID: dict[str, str] = {
    "PAY": """
        *betrag *gebühr *kosten *preis *preise *rabatt *rechnung *zuschlag abbonament* abo abonament* abonnement*
        acompte* adyen amount amounts anzahlung* arrondi* assinatura* betrag beträge bill billed billing bills
        bon_de_réduction brutto buon* canone cart_total cash_back cashback cen cena cenie cent cents ceny cenę
        charge charged charges cobrança* comisiones comisión comissão comissões commission* coupon* credit_note*
        credits cupom cupones cupons cupón currencies currency desconto* descuento* devise* discount* divisa*
        dunning erstattung* estorn* exchange_rate* factur* factura* facture* faktur* fattur* fatura* fee fees frais
        free_shipping frete gastos_de_envío gebühr* gift_card* gutschein* gutschrift* half_price iban icms import*
        importe* impost* imposto* impuesto* interest_rate* invoice* iva juros klarna koszt*_dostawy kupon* kwot*
        list_price loyalty_points mehrwertsteuer* moeda* moneda* montant* mwst naliczan* netto nota_fiscal opłat*
        pagament* pagamento* pago pagos paiement* parcela* payment* payout* paypal payroll podat* pourboire precio*
        preis preise preisen prezz* preço* price priced prices pricing prix pro-rat* propina* prorat* provision*
        prowizj* płatnoś* rabat* rabatt* recargo* rechnung rechnungen reembols* refund* rembours* remise*
        reverse_charge rimbors* rounding rückerstatt* salaries salary saldo scont* sepa shipping_cost* shipping_fee*
        skonto solde sovrapprezz* spese_di_spedizione steuer* stripe subscription* subskrypcj* subtotal surcharge*
        suscripci* tarif* tarifa* tariff* tax taxa taxas taxe* taxes total totals tva umsatzsteuer* valor_total
        valut* vat versandkosten* voucher* wage* walut* währung* zahlung* zniżk* zuschlag* zwrot* баланс* валют*
        возврат* доставк*_бесплатн* комисси* купон* налог* ндс оплат* платеж* платёж* подписк* промокод* скидк*
        сумм* счет счета счетов счёт тариф* цен* чек クーポン サブスク 付款 价格 优惠 优惠券 会员费 余额 佣金 価格
        割引 单价 发票 手数料 手续费 扣费 折扣 提现 支付 支払 料金 汇率 決済 消費税 满减 税 税率 給与 請求 請求書
        订阅 账单 货币 运费 返金 退款 送料 通貨 金額 金额 가격 결제 구독 금액 급여 배송비 부가세 세금 세율 수수료
        요금 인보이스 적립금 청구 청구서 쿠폰 통화 포인트 할인 환불 환율
    """,
    "PAY_HARD": """
        *zuschlag addebit* aliquot* alíquota* arredondamento arrotondament* billed_twice capture_method
        charged_twice cobra_dos cobrado_dos cobrado_duas cobrança_dupla commission credit_notes daily_fine
        darmow*_dostaw* deux_fois doppelt_abgebucht dos_veces double_charge* double_débit duas_vezes due_volte
        dunning dwa_razy débité* envío_gratis exchange_rate* frais_de_port free_shipping frete_grátis gross_price
        half_of_the half_price idempotency_key mehrwertsteuersatz mindermengen* negative_vat net_price paid_twice
        pay_twice paymentintent payout* podwójn* price_increase price_per_seat pro-rat* prorat* prélevé_deux
        redondeo refund_amount reverse_charge round_the_sum rounded_lines rounding rundung* spedizione_gratuita
        split_payments stawk* steuersatz* stripe_connect surcharge taux_de_tva taux_réduit tax_rate* tipo_de_iva
        vat_rate* versandkostenfrei* zaokrągl* zweimal_abgebucht бесплатн*_доставк* дважды двойное_списан* округлен*
        ставк* ставк*_ндс 二重課金 二重請求 分摊 包邮 四舍五入 满减 税率 端数 运费 退款金额 退还 送料無料 重复扣款
        무료_배송 반올림 배송비 세율 이중_결제 중복_결제
    """,
    "DEAL": """
        ab_80 abono_parcial abrechn* acconto accounting acompte actual_charge addebit* added_to_the_next
        adiantamento admission aduana affiliate affiliates alfândega allowance amortis* amortiz* amount_charged
        annual_plan anticipo are_worth at_the_till auf_der_rechnung_stehen authorise_the_card authorization_amount
        avoir_partiel bank_transfer berechnet_wird biglietto bilet* billet* billing_period black_friday bogo boleto
        bonifici bonifico bonuspunkte booking_fee bookkeeping brutto* buchhaltung* bulk_price bundle_price buy_two
        cancel_the_invoice cancel_within cancellation cancellation_fee card_is cart_becomes cart_rule* cash_desk
        cash_discount cash_register cashback caution centimes change_given charge_gross charge_net chargeback*
        charged_again charged_amount charged_for charity checkout_price checkout_session chf cobrança* cobrar
        cobrar* cobro cobros coins commercialista commission_for comptab* con_bonifico consigne contab* contáb*
        converts_even cost_half cost_of costs_half credit_card credit_limit credit_the crianças_grátis customs cło
        darmow* debit debited demi-tarif deposit depreciat* descuadr* devoluci* diet* dietas difference_back
        direct_debit discounted diária* dogana dollar* donation donations douane due_date_of_the_invoice early-bird
        early_bird earn earns eintritt* endbetrag entrada* entrance entry_fee ermässig* escrow essai_gratuit
        estorno_parcial excl_vat exempt exemption expense* fahrpreis* family_ticket fare fares fedeltà fidelidad
        fidelidade finance_says frais_d'annulation frais_de frais_de_port_ajout free_for_children free_from
        free_trial frei_ab freight frete_calculado fuel full_amount gastos_incluidos gehaltsabrechnung* gems get_one
        gift_cards graduated_price gratuit_pour gross_amount gross_prices group_rate grátis guthaben gutschreib*
        half-price happy_hour heures_supplémentaires hold_on_the_card horas_extra horas_extras hourly_billing
        hourly_rate hälfte importe_total in-app_purchase* in_chf in_eur in_gbp in_usd incl._vat incl_vat
        included_minutes ingresso* ingresso_gratuito installment* instalment* intereses interessi intérêts
        invoice_correction invoice_number* invoice_numbering juros kassier* kaucj* kilometergeld kinder_fahren
        kostenlos* koszt_wysyłki koszty_dostawy księgow* kurs kursu kündigungsfrist lastschrift* late_fee ledger
        lieferkosten lieferkosten_nur list_price local_price lohn lose_them loyalty loyalty_tier mahngebühr*
        mahnung* mandat meia-entrada member_price membership_fee mensalidade* mensilit* mensualidad* mensualité*
        metade metered metà mileage mindestbestell* minimum_order missing_cents mitad moitié money_back montant_payé
        monthly_fee multa nachlass nadgodzin* nadpłat* negative_total net_30 net_amount net_prices netto-*
        nettopreis* next_bill niños_gratis no-show note_de_frais odnowieni* odset* offer_total okres_próbn*
        on_redeeming overage overcharg* overtime packaging_weight paid_back panier_négatif parcelamento parcelas
        parkgebühr* parking_fee partial_payment partial_refund pay_back pay_by_invoice payable payment_deadline
        payment_method* payment_provider payment_term* payroll_export pays_back penale penalización penalty
        per_cento per_chi_paga per_diem per_hour per_km per_seat percent percentage pfand pix plazos poids
        points_per por_cento por_ciento portofrei postage postage_fee pounds pour_cent połow* pre-authorization
        preauthorization precio_actual precio_antiguo prezzo_vecchio preço_antigo price_list price_per
        price_rounding prices_with_vat prime prix_ancien pro-rata probemonat probezeitraum procent promo_code*
        promocode* promotion* prova_gratuita prozent prueba_gratuita przelew* prélèvement* punkt*_lojaln*
        purchase_order_total purchase_price pénalité* quote_total rat rata ratal* rate_of_the_day ratenzahlung raty
        reais real_money rebate receivable rechnungsbetrag rechnungsnummer* redeem* redemption reducida
        reembolso_parcial refund_policy refund_the refunded refunding refunds_are reimburse* reisekosten
        remboursement* remboursement_partiel remboursé* remesa reminder_fee renewal renewals renovación renovação
        revenue_share ridotto rimborso_parziale rimborso_spese rinnovo ristourne* round_up rounded_to royalties
        rückbuch* sale_price sales_tax se_renuevan season_ticket sek senior_discount service_charge settlement
        shipping_weight short_by skonto skonto_frist spese_incluse spesen split_payment split_the_bill
        splits_the_bill splitting_the_bill staffelpreis* stock_value store_price stornieren storno stornogebühr*
        stornorechnung straordinari strike_price student_discount stundenlohn subsid* sum_is sumar_al_total
        summe_stimmt surcharges take_money taken_off taken_off_twice takes_money tarif*_dégressif* tarifas tariff*
        taux_horaire taxable taxed teilerstatt* teillieferung teste_grátis tier_pricing tiered till tipping toll
        too_little too_much top-up top_up transferencia* transferência* trial_period trop-perçu ulgow* undercharg*
        unused_days upsell usage-based usage_based valuation verrechnet versand_ab versand_frei versandfrei
        virement* void_the volume_discount volume_price wages waiter wallet wholesale wird_teurer with_vat withdraw*
        without_vat wrong_amount wrong_total yearly zalicz* zero-rated zinsen zoll zu_viel_berechnet zu_wenig
        zwrot_częściowy złot* écotaxe überstunden überweis* аванс бесплатн* билет* бонус* бухгалт* выплат* доставк*
        евро задат* зарплат* командировочн* курс кэшбэк* льготн* на_весь_чек пени пенсионер* перевод*_на половин*
        пошлин* предоплат* пробн*_период продлен* проезд процент* процент*_за рассроч* рубл* сверхурочн*
        стоимост*_доставк* суточн* чаев* частичн*_возврат чек чека штраф* お試し チップ チャージ ポイント還元
        一部返金 下单时 买一送一 交通費 优惠价 会员折扣 会員価格 会計 佣金比例 促销 保証金 値上 値下 値引 値引き
        儿童免费 充值 免费 免运费 兑换比例 入場料 全額返金 全额退款 关税 凑单 分成 分期 分润 利息 前金 割り勘 割引を
        割引率 加价 加班费 包邮门槛 半价 半票 半額 单价 単価 報酬 多扣 多收 子供料金 定金 实际扣款 実際の請求 对账
        小费 少扣 少收 工资 差旅 年会費 年费 成本价 打包费 打折 扣款规则 折后 报销 抹零 押金 振込 提成 換金 更新料
        月费 月額 歩合 残業代 涨价 滞纳金 满99 满额 無料ライン 無料期間 百分之 票价 端数処理 精算 精算額 経費 給料
        结算 续订 续费 罚金 自動更新 补贴 试用期 财务 赔付 起送 转账 返现 返礼 进价 送料を 運賃 違約金 適用条件 還元
        還元率 邮费 部分退款 関税 门票 阶梯价 降价 限时折扣 갱신 경비 공급가 관세 단가 동시_사용 무료_체험 무료배송
        배송비를 보증금 부분_환불 실제_결제 야근 어린이_요금 연체료 연회비 운임 월급 월정액 위약금 이자 이체 인상
        인하 입금 입장료 자동_갱신 적립률 전액_환불 절반 정산 중복_할인 초과근무 충전 캐시백 팁 퍼센트 포장비
        프로모션 할부 할인율 할인을 회계 회원가
    """,
}
