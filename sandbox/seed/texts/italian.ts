import { cards, columns, hero, page, text, title, type LanguageTexts } from './page-texts.ts';

export const italian: LanguageTexts = {
  language: 'it',
  footer: 'Tarnfell – belle giornate all’aperto.',
  pages: [
    page(
      '',
      'Tarnfell',
      'Giornate guidate e lunghi cammini, in montagna e lungo la costa.',
      hero('Andare più lontano, portare meno', 'Piccoli gruppi, guide del posto e sentieri che abbiamo percorso noi stessi.'),
      cards(
        ['Di rifugio in rifugio', 'Cinque giorni sopra il limite del bosco e ogni sera una cucina calda.'],
        ['Il fiordo in kayak', 'Acqua quieta, rocce ripide e un fuoco sulla spiaggia.'],
        ['La prima gita d’inverno', 'Imparate a leggere la neve prima di fidarvene.'],
      ),
      text('Ogni viaggio comincia con una carta sul tavolo. Diteci quanti giorni avete e vi diremo che cosa ci sta.'),
    ),
    page(
      'about',
      'La nostra storia',
      'Come tre guide alpine cominciarono a preparare viaggi per gli amici.',
      title('La nostra storia'),
      text(
        'Tarnfell è nata nel 2009 con tre guide, un furgone in prestito e un elenco di amici che volevano vedere l’alba da una cresta.',
        'Oggi lavorano con noi quaranta guide. Nessuna accompagna più di otto persone e nessuno deve avere fretta.',
      ),
      columns(
        ['Piccoli gruppi', 'Al massimo otto persone, così tutti danno il passo.'],
        ['Del posto', 'Le nostre guide vivono dove vi accompagnano.'],
      ),
    ),
    page(
      'adventures',
      'Avventure',
      'Tutti i nostri viaggi, da una lunga giornata a due settimane.',
      title('Avventure'),
      text('Scegliete secondo la stagione, o secondo quanto volete essere stanchi la sera. Nel prezzo sono compresi pasti, letto e guida.'),
    ),
    page(
      'adventures/hut-to-hut',
      'Di rifugio in rifugio',
      'Cinque giorni su alti sentieri, da un rifugio all’altro.',
      hero('Di rifugio in rifugio', 'Cinque giorni, quattro rifugi, tre passi.'),
      text(
        'Portate un sacco lenzuolo, una giacca da pioggia e qualcosa da leggere. I rifugi hanno letti, minestra e la vista più bella della giornata.',
      ),
    ),
    page(
      'adventures/fjord-kayak',
      'Il fiordo in kayak',
      'Tre giorni su acque calme, due notti sulla riva.',
      hero('Il fiordo in kayak', 'Tre giorni su un’acqua liscia come uno specchio.'),
      text('Non serve esperienza. La prima mattina ci esercitiamo in una baia riparata, finché in barca non vi sentite a casa.'),
    ),
    page(
      'magazine',
      'Zaino leggero',
      'Che cosa resta a casa quando ogni grammo conta.',
      title('Zaino leggero'),
      text(
        'Mettete per terra tutto ciò che volete portare. Poi rimettetene metà nell’armadio.',
        'Il secondo paio di pantaloni non ha mai reso felice nessuno su una cresta. Il secondo paio di calze sì.',
      ),
    ),
    page(
      'contact',
      'Contatti',
      'Chiedeteci di itinerari, date e attrezzatura.',
      title('Contatti'),
      text(
        'Chiamateci nei giorni feriali tra le nove e le diciassette, o scriveteci: rispondiamo entro un giorno, se non siamo in montagna.',
      ),
    ),
  ],
};
