import type { leaving as english } from '../en/leaving.ts';

export const leaving: typeof english = {
  saving: {
    title: 'Ihre Änderung wird gerade gespeichert',
    text: 'Das Speichern geht weiter, wenn Sie die Seite verlassen. Ob es gelingt, sehen Sie nur hier.',
    leave: 'Verlassen',
    stay: 'Bleiben',
  },
  making: {
    title: 'Ein Geheimnis wird noch erstellt',
    text: 'Es wird hier nur einmal gezeigt. Wenn Sie die Ansicht jetzt verlassen, entsteht es trotzdem, und Sie sehen es nicht.',
    leave: 'Trotzdem verlassen',
    stay: 'Bleiben',
  },
};
