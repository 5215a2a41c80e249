import { cards, columns, hero, page, text, title, type LanguageTexts } from './page-texts.ts';

export const french: LanguageTexts = {
  language: 'fr',
  footer: 'Tarnfell – de belles journées dehors.',
  pages: [
    page(
      '',
      'Tarnfell',
      'Journées guidées et longues marches, en montagne et sur la côte.',
      hero('Aller plus loin, porter moins', 'De petits groupes, des guides du pays et des chemins que nous avons parcourus nous-mêmes.'),
      cards(
        ['De refuge en refuge', 'Cinq jours au-dessus de la forêt et, chaque soir, une cuisine bien chaude.'],
        ['Le fjord en kayak', 'Une eau calme, des parois raides et un feu sur la plage.'],
        ['La première sortie d’hiver', 'Apprenez à lire la neige avant de lui faire confiance.'],
      ),
      text(
        'Chaque voyage commence par une carte posée sur la table. Dites-nous combien de jours vous avez, nous vous dirons ce qui y tient.',
      ),
    ),
    page(
      'about',
      'Notre histoire',
      'Comment trois guides ont commencé à préparer des voyages pour leurs amis.',
      title('Notre histoire'),
      text(
        'Tarnfell est né en 2009 : trois guides, une camionnette prêtée et une liste d’amis qui voulaient voir le soleil se lever depuis une crête.',
        'Aujourd’hui, quarante guides travaillent avec nous. Aucun n’emmène plus de huit personnes, et personne ne doit se presser.',
      ),
      columns(
        ['Petits groupes', 'Huit personnes au plus, pour que chacun donne le rythme.'],
        ['D’ici', 'Nos guides vivent là où ils vous emmènent.'],
      ),
    ),
    page(
      'adventures',
      'Aventures',
      'Tous nos voyages, d’une longue journée à deux semaines.',
      title('Aventures'),
      text(
        'Choisissez selon la saison, ou selon la fatigue que vous souhaitez le soir. Les prix comprennent les repas, le lit et le guide.',
      ),
    ),
    page(
      'adventures/hut-to-hut',
      'De refuge en refuge',
      'Cinq jours sur les hauts chemins, d’un refuge à l’autre.',
      hero('De refuge en refuge', 'Cinq jours, quatre refuges, trois cols.'),
      text(
        'Vous portez un drap de sac, une veste de pluie et de quoi lire. Les refuges ont des lits, de la soupe et la plus belle vue de la journée.',
      ),
    ),
    page(
      'adventures/fjord-kayak',
      'Le fjord en kayak',
      'Trois jours sur une eau paisible, deux nuits sur la rive.',
      hero('Le fjord en kayak', 'Trois jours sur une eau lisse comme un miroir.'),
      text(
        'Aucune expérience n’est nécessaire. Le premier matin, nous nous exerçons dans une baie abritée jusqu’à ce que vous vous sentiez chez vous dans le bateau.',
      ),
    ),
    page(
      'magazine',
      'Voyager léger',
      'Ce qui reste à la maison quand chaque gramme compte.',
      title('Voyager léger'),
      text(
        'Posez par terre tout ce que vous voulez emporter. Puis rangez-en la moitié dans l’armoire.',
        'Le deuxième pantalon n’a jamais rendu personne heureux sur une crête. La deuxième paire de chaussettes, si.',
      ),
    ),
    page(
      'contact',
      'Contact',
      'Posez-nous vos questions sur les itinéraires, les dates et le matériel.',
      title('Contact'),
      text(
        'Appelez-nous en semaine entre neuf et dix-sept heures, ou écrivez : nous répondons sous un jour, sauf si nous sommes en montagne.',
      ),
    ),
  ],
};
