import { cards, columns, hero, text, title, type LanguageTexts } from './page-texts.ts';

export const german: LanguageTexts = {
  language: 'de',
  footer: 'Tarnfell – gute Tage draussen.',
  pages: [
    {
      path: '',
      title: 'Tarnfell',
      description: 'Geführte Tage und lange Wege in den Bergen und an der Küste.',
      parts: [
        hero(
          'Weiter gehen, weniger tragen',
          'Kleine Gruppen, Führerinnen und Führer aus der Gegend und Wege, die wir selbst gegangen sind.',
        ),
        cards(
          ['Von Hütte zu Hütte', 'Fünf Tage über der Baumgrenze, jeden Abend eine warme Küche.'],
          ['Im Kajak durch den Fjord', 'Stilles Wasser, steiler Fels und ein Feuer am Strand.'],
          ['Die erste Skitour', 'Lernen Sie den Schnee zu lesen, bevor Sie ihm vertrauen.'],
        ),
        text(
          'Jede Reise beginnt mit einer Karte auf dem Tisch. Sagen Sie uns, wie viele Tage Sie haben, und wir sagen Ihnen, was hineinpasst.',
        ),
      ],
    },
    {
      path: 'about',
      title: 'Unsere Geschichte',
      description: 'Wie drei Bergführer begannen, Reisen für ihre Freunde zu planen.',
      parts: [
        title('Unsere Geschichte'),
        text(
          'Tarnfell begann 2009 mit drei Bergführern, einem geliehenen Bus und einer Liste von Freunden, die den Sonnenaufgang von einem Grat aus sehen wollten.',
          'Heute arbeiten vierzig Menschen mit uns. Niemand führt mehr als acht Gäste, und niemand muss sich beeilen.',
        ),
        columns(
          ['Kleine Gruppen', 'Höchstens acht Personen, damit alle das Tempo bestimmen.'],
          ['Von hier', 'Wer bei uns führt, wohnt auch dort.'],
        ),
      ],
    },
    {
      path: 'adventures',
      title: 'Touren',
      description: 'Alle unsere Reisen, vom langen Tag bis zu zwei Wochen.',
      parts: [
        title('Touren'),
        text(
          'Wählen Sie nach Jahreszeit oder danach, wie müde Sie am Abend sein möchten. Essen, Bett und Führung sind im Preis enthalten.',
        ),
      ],
    },
    {
      path: 'adventures/hut-to-hut',
      title: 'Von Hütte zu Hütte',
      description: 'Fünf Tage auf hohen Wegen, von einer Berghütte zur nächsten.',
      parts: [
        hero('Von Hütte zu Hütte', 'Fünf Tage, vier Hütten, drei Pässe.'),
        text(
          'Sie tragen einen Hüttenschlafsack, eine Regenjacke und etwas zum Lesen. Die Hütten haben Betten, Suppe und die schönste Aussicht des Tages.',
        ),
      ],
    },
    {
      path: 'adventures/fjord-kayak',
      title: 'Im Kajak durch den Fjord',
      description: 'Drei Tage auf ruhigem Wasser, zwei Nächte am Ufer.',
      parts: [
        hero('Im Kajak durch den Fjord', 'Drei Tage auf spiegelglattem Wasser.'),
        text('Erfahrung brauchen Sie keine. Am ersten Morgen üben wir in einer geschützten Bucht, bis Sie sich im Boot zu Hause fühlen.'),
      ],
    },
    {
      path: 'magazine',
      title: 'Leicht packen',
      description: 'Was zu Hause bleibt, wenn jedes Gramm zählt.',
      parts: [
        title('Leicht packen'),
        text(
          'Legen Sie alles auf den Boden, was Sie mitnehmen möchten. Dann räumen Sie die Hälfte zurück in den Schrank.',
          'Die zweite Hose hat auf einem Grat noch niemanden glücklich gemacht. Das zweite Paar Socken schon.',
        ),
      ],
    },
    {
      path: 'contact',
      title: 'Kontakt',
      description: 'Fragen Sie uns nach Wegen, Terminen und Ausrüstung.',
      parts: [
        title('Kontakt'),
        text(
          'Rufen Sie werktags zwischen neun und siebzehn Uhr an oder schreiben Sie uns; wir antworten binnen eines Tages, wenn wir nicht gerade auf einem Berg sind.',
        ),
      ],
    },
  ],
};
