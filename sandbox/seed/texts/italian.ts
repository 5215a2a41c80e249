import { cards, columns, hero, text, title, type LanguageTexts } from './page-texts.ts';

export const italian: LanguageTexts = {
  language: 'it',
  footer: 'Tarnfell – belle giornate all’aperto.',
  pages: [
    {
      path: '',
      title: 'Tarnfell',
      description: 'Giornate guidate e lunghi cammini, in montagna e lungo la costa.',
      parts: [
        hero('Andare più lontano, portare meno', 'Piccoli gruppi, guide del posto e sentieri che abbiamo percorso noi stessi.'),
        cards(
          ['Di rifugio in rifugio', 'Cinque giorni sopra il limite del bosco e ogni sera una cucina calda.'],
          ['Il fiordo in kayak', 'Acqua quieta, rocce ripide e un fuoco sulla spiaggia.'],
          ['La prima gita d’inverno', 'Imparate a leggere la neve prima di fidarvene.'],
        ),
        text('Ogni viaggio comincia con una carta sul tavolo. Diteci quanti giorni avete e vi diremo che cosa ci sta.'),
      ],
    },
    {
      path: 'about',
      title: 'La nostra storia',
      description: 'Come tre guide alpine cominciarono a preparare viaggi per gli amici.',
      parts: [
        title('La nostra storia'),
        text(
          'Tarnfell è nata nel 2009 con tre guide, un furgone in prestito e un elenco di amici che volevano vedere l’alba da una cresta.',
          'Oggi lavorano con noi quaranta guide. Nessuna accompagna più di otto persone e nessuno deve avere fretta.',
        ),
        columns(
          ['Piccoli gruppi', 'Al massimo otto persone, così tutti danno il passo.'],
          ['Del posto', 'Le nostre guide vivono dove vi accompagnano.'],
        ),
      ],
    },
    {
      path: 'adventures',
      title: 'Avventure',
      description: 'Tutti i nostri viaggi, da una lunga giornata a due settimane.',
      parts: [
        title('Avventure'),
        text(
          'Scegliete secondo la stagione, o secondo quanto volete essere stanchi la sera. Nel prezzo sono compresi pasti, letto e guida.',
        ),
      ],
    },
    {
      path: 'adventures/hut-to-hut',
      title: 'Di rifugio in rifugio',
      description: 'Cinque giorni su alti sentieri, da un rifugio all’altro.',
      parts: [
        hero('Di rifugio in rifugio', 'Cinque giorni, quattro rifugi, tre passi.'),
        text(
          'Portate un sacco lenzuolo, una giacca da pioggia e qualcosa da leggere. I rifugi hanno letti, minestra e la vista più bella della giornata.',
        ),
      ],
    },
    {
      path: 'adventures/fjord-kayak',
      title: 'Il fiordo in kayak',
      description: 'Tre giorni su acque calme, due notti sulla riva.',
      parts: [
        hero('Il fiordo in kayak', 'Tre giorni su un’acqua liscia come uno specchio.'),
        text('Non serve esperienza. La prima mattina ci esercitiamo in una baia riparata, finché in barca non vi sentite a casa.'),
      ],
    },
    {
      path: 'magazine',
      title: 'Zaino leggero',
      description: 'Che cosa resta a casa quando ogni grammo conta.',
      parts: [
        title('Zaino leggero'),
        text(
          'Mettete per terra tutto ciò che volete portare. Poi rimettetene metà nell’armadio.',
          'Il secondo paio di pantaloni non ha mai reso felice nessuno su una cresta. Il secondo paio di calze sì.',
        ),
      ],
    },
    {
      path: 'contact',
      title: 'Contatti',
      description: 'Chiedeteci di itinerari, date e attrezzatura.',
      parts: [
        title('Contatti'),
        text(
          'Chiamateci nei giorni feriali tra le nove e le diciassette, o scriveteci: rispondiamo entro un giorno, se non siamo in montagna.',
        ),
      ],
    },
  ],
};
