import { lazyView } from '../ui/lazy-component.tsx';
import { printPageProperties } from '../routes.ts';
import { Surface } from './Surface.tsx';
import { fitLocale } from './host/host.ts';

const StartForm = lazyView(async () => (await import('./StartForm.tsx')).StartForm);

/** The panel, opened without a page: asks for one. */
export function StartPage() {
  return (
    <Surface locale={fitLocale(navigator.language)} theme="system" standAlone>
      <StartForm onOpen={(page) => (location.hash = printPageProperties(page))} />
    </Surface>
  );
}
