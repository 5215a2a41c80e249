import { cards, columns, hero, page, text, title, type LanguageTexts } from './page-texts.ts';

export const german: LanguageTexts = {
  language: 'de',
  footer: 'Tarnfell – gute Tage draussen.',
  pages: [
    page(
      '',
      'Tarnfell',
      'Geführte Tage und lange Wege in den Bergen und an der Küste.',
      hero('Weiter gehen, weniger tragen', 'Kleine Gruppen, Führerinnen und Führer aus der Gegend und Wege, die wir selbst gegangen sind.'),
      cards(
        ['Von Hütte zu Hütte', 'Fünf Tage über der Baumgrenze, jeden Abend eine warme Küche.'],
        ['Im Kajak durch den Fjord', 'Stilles Wasser, steiler Fels und ein Feuer am Strand.'],
        ['Die erste Skitour', 'Lernen Sie den Schnee zu lesen, bevor Sie ihm vertrauen.'],
      ),
      text(
        'Jede Reise beginnt mit einer Karte auf dem Tisch. Sagen Sie uns, wie viele Tage Sie haben, und wir sagen Ihnen, was hineinpasst.',
      ),
    ),
    page(
      'about',
      'Unsere Geschichte',
      'Wie drei Bergführer begannen, Reisen für ihre Freunde zu planen.',
      title('Unsere Geschichte'),
      text(
        'Tarnfell begann 2009 mit drei Bergführern, einem geliehenen Bus und einer Liste von Freunden, die den Sonnenaufgang von einem Grat aus sehen wollten.',
        'Heute arbeiten vierzig Menschen mit uns. Niemand führt mehr als acht Gäste, und niemand muss sich beeilen.',
      ),
      columns(
        ['Kleine Gruppen', 'Höchstens acht Personen, damit alle das Tempo bestimmen.'],
        ['Von hier', 'Wer bei uns führt, wohnt auch dort.'],
      ),
    ),
    page(
      'adventures',
      'Touren',
      'Alle unsere Reisen, vom langen Tag bis zu zwei Wochen.',
      title('Touren'),
      text('Wählen Sie nach Jahreszeit oder danach, wie müde Sie am Abend sein möchten. Essen, Bett und Führung sind im Preis enthalten.'),
    ),
    page(
      'adventures/hut-to-hut',
      'Von Hütte zu Hütte',
      'Fünf Tage auf hohen Wegen, von einer Berghütte zur nächsten.',
      hero('Von Hütte zu Hütte', 'Fünf Tage, vier Hütten, drei Pässe.'),
      text(
        'Sie tragen einen Hüttenschlafsack, eine Regenjacke und etwas zum Lesen. Die Hütten haben Betten, Suppe und die schönste Aussicht des Tages.',
      ),
    ),
    page(
      'adventures/fjord-kayak',
      'Im Kajak durch den Fjord',
      'Drei Tage auf ruhigem Wasser, zwei Nächte am Ufer.',
      hero('Im Kajak durch den Fjord', 'Drei Tage auf spiegelglattem Wasser.'),
      text('Erfahrung brauchen Sie keine. Am ersten Morgen üben wir in einer geschützten Bucht, bis Sie sich im Boot zu Hause fühlen.'),
    ),
    page(
      'magazine',
      'Leicht packen',
      'Was zu Hause bleibt, wenn jedes Gramm zählt.',
      title('Leicht packen'),
      text(
        'Legen Sie alles auf den Boden, was Sie mitnehmen möchten. Dann räumen Sie die Hälfte zurück in den Schrank.',
        'Die zweite Hose hat auf einem Grat noch niemanden glücklich gemacht. Das zweite Paar Socken schon.',
      ),
    ),
    page(
      'contact',
      'Kontakt',
      'Fragen Sie uns nach Wegen, Terminen und Ausrüstung.',
      title('Kontakt'),
      text(
        'Rufen Sie werktags zwischen neun und siebzehn Uhr an oder schreiben Sie uns; wir antworten binnen eines Tages, wenn wir nicht gerade auf einem Berg sind.',
      ),
    ),
  ],
};
