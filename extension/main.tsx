import type { Root } from 'react-dom/client';
import { fitLocale } from './host/fit-locale.ts';
import { createCatalogues } from './messages/catalogue.ts';
import { parseRoute } from './routes.ts';
import type { Route } from './routes.ts';

/** The route decides what is loaded: the hidden frame of the host needs no screens. */
async function start(): Promise<void> {
  const framed = window.parent !== window;
  const route = parseRoute(location.hash, location.search, framed);
  if (route.view === 'register') return (await import('./register.ts')).registerExtension();
  // The host's locale is known later, and is mostly the browser's: its sentences come with the screens, not after them.
  void createCatalogues()(fitLocale(navigator.language)).prepare();
  const [{ createRoot }, { renderRoute }] = await Promise.all([import('react-dom/client'), import('./render-route.tsx')]);
  const element = document.getElementById('root');
  if (element === null) return;
  const root: Root = createRoot(element);
  const show = (next: Route): void => renderRoute(root, next, framed);
  show(route);
  // A framed panel never connects a second time; only a window of its own changes its route.
  if (!framed) window.addEventListener('hashchange', () => show(parseRoute(location.hash, location.search, framed)));
}

void start();
