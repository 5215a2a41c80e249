import type { signIn as english } from '../en/sign-in.ts';

export const signIn: typeof english = {
  exchanging: 'Sie werden mit Ihrer Anmeldung am Autorensystem angemeldet\u00a0…',
  title: 'Am Konfigurationsdienst anmelden',
  text: 'Sie melden sich einmal an; weder Cookies noch Token müssen kopiert werden.',
  inWindow: 'Anmelden',
  windowWaiting: 'Schließen Sie die Anmeldung in dem Fenster ab, das sich geöffnet hat. Danach geht es hier automatisch weiter.',
  windowBlocked: 'Das Fenster konnte nicht geöffnet werden. Verwenden Sie stattdessen den Code unten.',
  windowClosed: 'Das Fenster wurde geschlossen, bevor die Anmeldung abgeschlossen war.',
  withCode: 'Mit einem Code anmelden',
  codeText:
    'Öffnen Sie diese Adresse in einem beliebigen Browser, geben Sie den Code ein, und erlauben Sie den Zugriff. Danach geht es hier automatisch weiter.',
  codeAddress: 'Adresse',
  code: 'Code',
  copyCode: 'Code kopieren',
  codeWaiting: 'Warten, bis Sie den Zugriff erlauben\u00a0…',
  codeExpired: 'Der Code ist abgelaufen. Fordern Sie einen neuen an.',
  codeDenied: 'Der Zugriff mit diesem Code wurde abgelehnt. Fordern Sie einen neuen an, falls das ein Versehen war.',
  notShared: {
    sentence: 'Dieser Editor teilt Ihre Anmeldung am Autorensystem nicht mit; darum kann dort nichts gelesen werden.',
    next: 'Öffnen Sie diese Adresse in einem eigenen Fenster, und melden Sie sich dort an:',
  },
  codeAlone: {
    sentence: 'Der Code hat Sie nur am Konfigurationsdienst angemeldet; das Autorensystem kennt Sie noch nicht.',
    next: 'Melden Sie sich in einem Fenster an, und erlauben Sie dieser Seite, es zu öffnen.',
  },
  newCode: 'Neuen Code anfordern',
  again: {
    title: 'Noch einmal anmelden',
    texts: (lacking, mode) => [
      lacking === 'service'
        ? 'Ihre Anmeldung am Konfigurationsdienst ist abgelaufen. Ihre Eingaben bleiben erhalten, und die laufende Arbeit geht nach der Anmeldung automatisch weiter.'
        : 'Ihre Anmeldung am Autorensystem ist abgelaufen. Ihre Eingaben bleiben erhalten, und die laufende Arbeit geht nach der Anmeldung automatisch weiter.',
      ...(mode === 'framed' ? ['Es geht auch weiter, sobald Sie sich in einem anderen Tab am Editor angemeldet haben.'] : []),
    ],
    notNow: 'Jetzt nicht',
    windowBlocked: 'Das Fenster konnte hier nicht geöffnet werden. Melden Sie sich in einem anderen Tab noch einmal am Editor an.',
    done: 'Sie sind wieder angemeldet. Die Arbeit geht weiter.',
    declined: 'Sie sind nicht angemeldet. Ihre Eingaben bleiben erhalten.',
  },
  ended: 'Ihre Anmeldung ist abgelaufen. Melden Sie sich noch einmal an.',
};
