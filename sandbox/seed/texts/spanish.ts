import { cards, columns, hero, page, text, title, type LanguageTexts } from './page-texts.ts';

export const spanish: LanguageTexts = {
  language: 'es',
  footer: 'Tarnfell: buenos días al aire libre.',
  pages: [
    page(
      '',
      'Tarnfell',
      'Jornadas guiadas y largas caminatas por la montaña y la costa.',
      hero('Llegar más lejos, cargar menos', 'Grupos pequeños, guías del lugar y rutas que hemos recorrido nosotros mismos.'),
      cards(
        ['De refugio en refugio', 'Cinco días por encima del bosque y, cada noche, una cocina caliente.'],
        ['El fiordo en kayak', 'Agua tranquila, roca escarpada y una hoguera en la playa.'],
        ['La primera salida de invierno', 'Aprenda a leer la nieve antes de confiar en ella.'],
      ),
      text('Todo viaje empieza con un mapa sobre la mesa. Díganos cuántos días tiene y le diremos qué cabe en ellos.'),
    ),
    page(
      'about',
      'Nuestra historia',
      'Cómo tres guías de montaña empezaron a preparar viajes para sus amigos.',
      title('Nuestra historia'),
      text(
        'Tarnfell nació en 2009 con tres guías, una furgoneta prestada y una lista de amigos que querían ver amanecer desde una cresta.',
        'Hoy trabajan con nosotros cuarenta guías. Ninguno lleva a más de ocho personas y nadie tiene que darse prisa.',
      ),
      columns(
        ['Grupos pequeños', 'Ocho personas como máximo, para que todos marquen el paso.'],
        ['De aquí', 'Nuestros guías viven donde le acompañan.'],
      ),
    ),
    page(
      'adventures',
      'Aventuras',
      'Todos nuestros viajes, desde una larga jornada hasta dos semanas.',
      title('Aventuras'),
      text('Elija según la estación o según lo cansado que quiera estar por la noche. El precio incluye comida, cama y guía.'),
    ),
    page(
      'adventures/hut-to-hut',
      'De refugio en refugio',
      'Cinco días por caminos altos, de un refugio a otro.',
      hero('De refugio en refugio', 'Cinco días, cuatro refugios, tres collados.'),
      text(
        'Usted lleva un saco sábana, una chaqueta impermeable y algo para leer. Los refugios tienen camas, sopa y la mejor vista del día.',
      ),
    ),
    page(
      'adventures/fjord-kayak',
      'El fiordo en kayak',
      'Tres días en aguas tranquilas y dos noches en la orilla.',
      hero('El fiordo en kayak', 'Tres días sobre un agua lisa como un espejo.'),
      text(
        'No hace falta experiencia. La primera mañana practicamos en una bahía resguardada hasta que se sienta como en casa en la barca.',
      ),
    ),
    page(
      'magazine',
      'Mochila ligera',
      'Lo que se queda en casa cuando cada gramo cuenta.',
      title('Mochila ligera'),
      text(
        'Ponga en el suelo todo lo que quiera llevar. Después, devuelva la mitad al armario.',
        'El segundo pantalón nunca ha hecho feliz a nadie en una cresta. El segundo par de calcetines, sí.',
      ),
    ),
    page(
      'contact',
      'Contacto',
      'Pregúntenos por rutas, fechas y equipo.',
      title('Contacto'),
      text('Llámenos los días laborables de nueve a cinco, o escríbanos: respondemos en un día, salvo que estemos en la montaña.'),
    ),
  ],
};
