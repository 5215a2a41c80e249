import { cards, columns, hero, page, text, title, type LanguageTexts } from './page-texts.ts';

export const english: LanguageTexts = {
  language: 'en',
  footer: 'Tarnfell – days outside, made well.',
  pages: [
    page(
      '',
      'Tarnfell',
      'Guided days and long walks in the mountains and along the coast.',
      hero('Go further, carry less', 'Small groups, local guides and routes that we have walked ourselves.'),
      cards(
        ['Hut to hut', 'Five days above the tree line, with a warm kitchen every evening.'],
        ['Fjord by kayak', 'Quiet water, steep rock and a fire on the beach.'],
        ['First winter tour', 'Learn to read snow before you trust it.'],
      ),
      text('Every journey begins with a map on the table. Tell us how many days you have, and we will tell you what fits into them.'),
    ),
    page(
      'about',
      'Our story',
      'How three mountain guides began to plan journeys for their friends.',
      title('Our story'),
      text(
        'Tarnfell began in 2009 with three guides, one borrowed van and a list of friends who wanted to see the sunrise from a ridge.',
        'Today forty guides work with us. None of them leads more than eight people, and nobody has to hurry.',
      ),
      columns(['Small groups', 'Eight people at most, so that everyone sets the pace.'], ['Local', 'Our guides live where they lead.']),
    ),
    page(
      'adventures',
      'Adventures',
      'All our journeys, from one long day to two weeks.',
      title('Adventures'),
      text('Choose by season or by how tired you would like to be in the evening. All prices include food, beds and the guide.'),
    ),
    page(
      'adventures/hut-to-hut',
      'Hut to hut',
      'Five days on high paths, from one mountain hut to the next.',
      hero('Hut to hut', 'Five days, four huts, three passes.'),
      text('You carry a sleeping bag liner, a rain jacket and something to read. The huts have beds, soup and the best view of the day.'),
    ),
    page(
      'adventures/fjord-kayak',
      'Fjord by kayak',
      'Three days on calm water, with two nights on the shore.',
      hero('Fjord by kayak', 'Three days on water as flat as glass.'),
      text('No experience is needed. On the first morning we practise in a sheltered bay until you feel at home in the boat.'),
    ),
    page(
      'magazine',
      'Packing light',
      'What stays at home when every gram counts.',
      title('Packing light'),
      text(
        'Put everything that you want to take on the floor. Then put half of it back into the cupboard.',
        'The second pair of trousers has never made anybody happy on a ridge. The second pair of socks has.',
      ),
    ),
    page(
      'contact',
      'Contact',
      'Ask us about routes, dates and equipment.',
      title('Contact'),
      text('Call us on weekdays between nine and five, or write; we answer within a day unless we are on a mountain.'),
    ),
  ],
};
