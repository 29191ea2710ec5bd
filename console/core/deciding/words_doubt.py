"""Words of open questions, missing criteria and vague wishes. In eleven languages, sorted.

A star is where a stem is open, _ a space. Chinese, Japanese and Korean words are looked for inside the text, the others
at word borders. No rule lives here.
"""

DOUBT: dict[str, str] = {
    "OPEN": """
        a_decidir ainda_não_decidimos da_decidere do_ustalenia haven't_decided have_not_decided jeszcze_nie_ustal*
        needs_a_decision nicht_entschieden nie_zdecydowaliśmy no_está_decidido no_hemos_decidido
        noch_nicht_entschieden non_abbiamo_deciso non_è_deciso not_decided not_been_decided not_yet_decided
        não_está_decidido pas_encore_décidé por_decidir reste_à_décider sin_decidir tbd to_be_decided to_be_discussed
        undecided à_trancher ещё_не_решено ещё_не_решили не_решено не_решили 決まっていない 決まっていません 尚未决定
        待定 未定 还没定 没决定 결정되지_않 미정 아직_정해지지
    """,
    "UNDECIDED": """
        a_combinar a_decidir a_definir acceptance_criteria_to ainda_não_decidimos bin_unsicher bisogna_decidere
        both_have can't_agree cannot_agree che_ne_dite co_myślicie co_robimy co_sądzicie co_zrobić cosa_facciamo
        cosa_ne_pensate czy_może czy_nie czy_powinniśmy da_capire da_concordare da_decidere da_definire da_discutere
        da_valutare deberíamos depends_on_what deux_options deux_pistes devemos deveríamos discuss_first do_decyzji
        do_dyskusji do_przemyślenia do_ustalenia do_uzgodnienia do_we_support do_we_want dos_opciones dovremmo
        duas_opções due_opzioni due_strade dwie_opcje either_way_works else_says em_aberto entscheidung_nötig
        falta_decidir falta_definir faut-il faut_il habría_que_decidir have_to_decide haven't_decided
        hay_que_decidir how_do_we_want how_should_it how_should_we i'm_not_sure_which if_not if_yes j'hésite
        je_ne_sais_pas_si jeszcze_nie_ustal* jeszcze_nie_wiemy keep_or_drop let's_discuss let's_talk let_us_discuss
        mal_sehen meglio_se muss_noch_geklärt müssen_wir_klären need_a_decision needs_a_decision needs_decision
        nicht_entschieden nicht_sicher_ob nie_ustaliliśmy nie_wiadomo nie_wiem_czy nie_zdecydowaliśmy no_consensus
        no_está_decidido no_hemos_decidido no_strong_opinion no_sé_si no_tengo_claro nobody_knows_what
        noch_nicht_entschieden noch_offen noch_unklar non_abbiamo_deciso non_so_se non_è_chiaro non_è_deciso
        not_agreed not_clear_yet not_decided not_sure_how not_sure_how_many not_sure_if_it_should not_sure_if_we
        not_sure_what not_sure_whether not_sure_which not_sure_who not_yet_decided não_decidimos não_está_decidido
        não_sei_se o_mejor o_no o_que_acham o_que_fazer o_que_vocês_acham oder_doch oder_lieber oder_nicht on_hésite
        on_ne_sait_pas open_question* opinions_differ oppure_no options_are or_not? or_rather or_should or_unlimited
        ou_bien ou_melhor ou_non ou_não pas_encore_décidé pas_sûr pas_tranché pendiente_de_definir pick_one
        por_decidir por_definir precisa_decidir pros_and_cons qu'en_pensez que_faire qué_hacemos qué_hacer
        qué_opinan qué_opináis qué_preferís reste_à_décider should_we sin_decidir sollen_wir sollten_wir
        someone_should_decide steht_noch still? still_open still_unclear tba tbd think_about three_options
        to_be_agreed to_be_decided to_be_defined to_be_discussed to_be_written to_follow trzeba_zdecydować
        two_options undecided uneinig unklar_ob unsure_whether up_for_discussion up_to_whoever vediamo
        waiting_for_feedback was_haltet was_machen_wir was_meint_ihr was_tun wdyt we_need_to_decide what_do_we_do
        what_do_you_all what_do_you_think what_should_happen what_to_do_with which_one_do which_way wird_noch
        would_it_be_better zu_entscheiden zu_klären zur_diskussion zwei_möglichkeiten zwei_varianten à_discuter
        à_décider à_définir à_préciser à_trancher à_voir давайте_решим два_варианта или_лучше или_нет как_думаете
        надо_решить не_знаю не_определ* не_решено не_решили не_уверен непонятно_как нет_мнения нет_твёрдого
        нужно_решить обсуд* под_вопросом пока_не_ясно пока_неясно стоит_ли уточнить что_делаем что_делать
        что_думаете ご意見 するかどうか どうしましょう どうする どうするか どちらが どちらに べきか 不确定 两个方案
        两种方案 再议 大家怎么看 尚未决定 待定 待确认 待讨论 怎么办 怎么处理 怎么看 意见不一 是否需要 未定 未決
        未确定 案があり 検討中 決まっていない 決まっていません 決めかね 決めて 没决定 没想好 没有结论 相談 要不要
        要検討 要相談 議論 讨论一下 请产品 还是说 还没定 迷っ 需要决定 需要讨论 검토_필요 결정_필요 결정되지 결정해
        고민 논의 못_정 미정 안_정해 어느_쪽 어떨까요 어떻게_할지 어떻게_해야 의견_부탁 의견_주세요 정해야 정해지지
        할까요 할지_말지 협의
    """,
    "VAGUE": """
        algo_mais algo_más améliorer ansprechend* aufhübschen aufpeppen benutzerfreundlicher besser better
        cleaner_look cooler coś_w_stylu dar_uma_cara darle_una_vuelta dépoussiér* fajniej* feel_free_to fresher
        frischer hübscher intuicyjn* intuitiver irgendwie isn't_good jakoś lepiej lepsz* looks_dated magari
        mais_agradável mais_amigável mais_bonita mais_bonito mais_intuitiv* meglio meh mejor mejorar melhor melhorar
        mieux migliorare modern moderna moderne moderner moderno more_appealing more_intuitive more_user-friendly
        más_atractiv* más_bonita más_bonito más_intuitiv* nicer not_great nowocześniej* odświeżyć old-fashioned
        overhaul pimp più_bella più_bello più_intuitiv* plus_convivial plus_ergonomique plus_fluide plus_joli
        plus_sympa polish poprawić professional przyjaźniejsz* qualcosa_di quelque_chose_de quick_win rafraîchir
        renovar repensar repenser rethink revoir ripensare rivedere runder schöner sexy sistemare smoother some_love
        somehow something_like something_more state_of_the_art svecchiare the_usual ulepszyć un_peu_vieill*
        user_friendly verbessern wow zeitgemäß* überarbeiten ładniej* доработать как-нибудь как-то красивее лучше
        освежить переделать покрасив* получше посовременн* поудобн* современн* удобнее улучшить いい感じ きれいに
        なんとなく もっと モダン 今風 优化一下 体验不好 使いやすく 分かりやすく 刷新 友好 大气 好用 改进一下 更好看
        更现代 美观 良くし 見直 高级 개선 개편 고급스럽게 깔끔하게 느낌 더_좋게 바꿔야_할_것 세련 손봐 예쁘게 좀_더
        편하게 현대적
    """,
    "HEDGE": """
        być_może chyba eventually eventuell evtl forse i_guess ideally magari maybe może perhaps peut-être probably
        quizá* tal_vez talvez vielleicht we'll_see éventuellement возможно может_быть наверно* наверное かもしれ
        たぶん 也许 多分 或者 或许 것_같 아마
    """,
    "CHOICE": """
        albo alternativ* bien czy either entweder lub o oder opción_a oppure option_a option_b opção_a or ou soit
        variant* variante_a whether или либо それとも または 或者 还是 또는 아니면 혹은
    """,
    "CONSULT": """
        abklären abstimmen as_talked ask_legal ask_sales check_with chiedere clarify confermare_con confirmar_con
        consultar demander_à design_first juristisch klären leave_it_to legal_first opinions perguntar preguntar
        rücksprache see_the_meeting skonsultować up_to_whoever up_to_you ustalić_z verificar_com views_differ
        voir_avec zapytać à_valider согласовать спросить уточнить 商量 找产品 相談 确认一下 確認が必要 確認して
        聞いて 问一下 물어 상의 확인_필요
    """,
    "WISH": """
        2.0_of a_consultar absprechen_mit abstimmen acts_weird ai_features ai_somehow ai_활용 aiを活用 alinhar_com
        altbacken ammodernare annoying any_ideas arguments_first as_agreed_on as_discussed as_people_expect ask_the
        at_all? aufwerten avec_ia bardziej_nowoczesny bardziej_przyjaz* bardziej_zrozumiał* benutzerführung
        better_error_messages better_handling both_are_must-haves brainstorm* bring_up_to bring_users_back
        byłoby_dobrze ce_serait clean_up_the_mess collect_arguments collect_ideas con_ia concept_follows
        consultar_con conversar_com czytelniej* d'accord_avec deal_with_duplicate decide_how decide_what
        decide_whether decidere_come decidere_se decidir_como decidir_cómo decidir_se decidir_si
        depends_on_marketing design_from_scratch details_folgen details_follow details_later detalhes_depois
        detalles_más_adelante dettagli_in_seguito do_something_about do_we_need do_we_really_need décider_comment
        décider_si détails_à_venir easier_to_use embellir entscheiden_ob entscheiden_wie ergonomie esperienza_utente
        estaría_bien everywhere. expect_them_to experiencia_de_usuario experiência_do_usuário expérience_utilisateur
        facelift fajnie_by falar_com feels_clunky feels_laggy feels_old feels_slow folgen_noch folgt_noch
        format_to_be_agreed future-proof gamif* gehen_auseinander geht_besser hablar_con handle_better
        handle_it_properly handle_large hübsch i_don't_know idea: ideas ideas_welcome in_general inconclusive
        increase_engagement insieme. irgendwas_mit is_slow_sometimes is_weird it_should_feel it_would_be just_work
        keep_or_kill lebendiger les_avis_sont_partagés like_apple like_google like_notion like_other_apps like_slack
        like_the_competition livelier look_&_feel look_and_feel look_like looks_cheap looks_old lots_of_complaints
        mais_atraente mais_claro mais_compreensível mais_fácil mais_moderno mais_vivo mais_útil make_better
        make_everything make_it_better make_it_great make_it_more make_it_more_understandable make_it_nice
        make_it_solid mit_ki mockups_follow modernise moderniser modernisier* modernizar modernize more_attractive
        more_details_later more_engaging more_flexible more_fun more_helpful more_like_a_real more_lively
        more_modern more_options more_personal more_professional more_robust more_understandable more_useful
        must-have must-haves más_atractivo más_claro más_comprensible más_fácil más_moderno más_viva más_vivo
        más_útil nach_rücksprache nervt_die never_decided new_design nice-to-have nice_to_have no_idea not_final
        not_urgent_but nowocześniejszy nutzererlebnis nützlicher odświeżenie old-fashioned on_verra opinions
        opinions? outdated_look parlare_con partagés pas_terrible people_say ping_me più_attraente più_chiar*
        più_comprensibile più_moderno più_semplice più_utile più_vivace placeholder_for placeholder_ticket
        please_check please_fix_it plus_clair plus_compréhensible plus_simple plus_utile plus_vivante pomysły_mile
        porozmawiać_z properly przejrzyst* raise_conversion redesenho redesign rediseñar rediseño redo redo_the
        refonte relaunch restyling rework_the rücksprache sarebbe_bello sarebbe_utile scalable se_aceptan_ideas
        see_call see_chat sentire_anche sentire_il serait_bien seria_bom seria_legal sería_bueno should_be_higher
        should_feel si_accettano_idee skonsultować solid something_fresh something_is_wrong something_with_ai
        sometimes_weird somewhat spannender spec_follows speed_up_everything sugerencias sugestões
        suggestions_bienvenues suggestions_welcome support_everything szczegóły_później szczegóły_wkrótce talk_to
        to_be_agreed to_be_done_later to_be_specified ugly unlimited usability use_ai user_experience uwagi_mile
        ux_of vamos_ver various_complaints verständlicher vivant vivante voir_avec vorschläge_willkommen
        wait_for_the waiting_for welche_und_wann what_about what_exactly_is what_people_expect what_users_expect
        which_and_when who_knows wishlist would_be_cool would_be_great would_be_nice wow_effect wygodniej* wäre_gut
        wäre_schön wäre_toll ya_veremos zdecydować_czy zdecydować_jak à_préciser übersichtlicher żywsz*
        более_современн* было_бы_хорошо детали_позже живее идеи_приветств* как_у_конкурент* красиво мнения_разделил*
        модерниз* поговорить_с подробности_позже полезнее понятнее поудобнее предложения_приветств* привлекательн*
        редизайн решить_как решить_нужно согласова* хорошо_бы あったら嬉しい おしゃれ かっこよく できれば にぎやか
        もっと楽しく よしなに わかりやすく アイデア募集 デザインを新しく ユーザー体験 不好用 不好看 人性化
        他社みたい 使い勝手 便利に 决定如何 决定是否 参考竞品 古くさい 和产品确认 大气一点 好看一点 希望能 意見募集
        改好看 方針を決め 智能化 更友好 更吸引人 更好 更智能 更清晰 最好能 有什么建议 欢迎建议 活泼 生动 用ai
        相談して 看得懂 细节再说 细节后续 見やすく 詳細は別途 詳細は後日 详情后补 跟产品 高大上 魅力的 경쟁사처럼
        더_나은 리뉴얼 매력적 방침을_정 보기_좋게 사용성 사용자_경험 생동감 아이디어 알아보기_쉽게 알아서 예쁜
        의견_환영 있으면_좋 자세한_내용은_추후 직관적 추후_공유 편리하게 협의
    """,
    "RHETORIC": """
        anybody_test davvero de_verdad dlaczego ernsthaft ever_tested how_come nadie naprawdę ninguém nobody_notice
        on_earth perché por_qué por_quê possibile_che pourquoi really seriously sérieusement sério vraiment warum
        who_tested why wieso wirklich неужели почему серьёзно сколько_можно どうして なぜ 为什么 怎么会 本当に 难道
        왜 정말
    """,
}
