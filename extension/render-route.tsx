import type { Root } from 'react-dom/client';
import { Panel } from './app/Panel.tsx';
import { fitLocale, type HostSource } from './host/host.ts';
import { LeaveGuard } from './ui/LeaveGuard.tsx';
import { printPageProperties, type Route } from './routes.ts';
import './features/style.css';
import './ui/shared.css';
import './features/page-properties/page-properties.css';
import { lazyView } from './ui/lazy-component.tsx';
import { Surface } from './app/Surface.tsx';
import { connectFrame, connectStandAlone } from './host/guest.ts';

/**
 * Renders routes, one after the other. Each page connects to the host once, whichever view is shown, and a frame never a
 * second time: the host ignores a second connection. React's strict mode, which would connect twice, stays off.
 */
export function createRenderer(root: Root, framed: boolean): (route: Route) => void {
  let connected: { readonly page: string; readonly source: HostSource } | undefined;
  const draw = (route: Route) => {
    if (route.view === 'register' || route.view === 'start') return <StartPage />;
    const { view, org } = route;
    const page = pageOf(route, framed);
    if (connected?.page !== page) connected = { page, source: framed ? connectFrame(route) : connectStandAlone(route) };
    return <Panel key={page} view={view} source={connected.source} framed={framed} organization={org} />;
  };
  return (route) =>
    root.render(
      <LeaveGuard requested={route} id={`${shownBy(route)} ${pageOf(route, framed)}`}>
        {draw}
      </LeaveGuard>,
    );
}

function pageOf(route: Route, framed: boolean): string {
  if (route.view === 'register' || route.view === 'start') return '';
  const { author = '', path = '', org = '' } = route;
  return framed ? 'the host’s' : `${author} ${path} ${org}`;
}

/** Two addresses lead to an organization's sites, which one view shows. */
function shownBy({ view }: Route): string {
  return view === 'sites' ? 'organization' : view;
}

const StartForm = lazyView(async () => (await import('./features/production/StartForm.tsx')).StartForm);

/** The panel, opened without a page: asks for one. */
function StartPage() {
  return (
    <Surface locale={fitLocale(navigator.language)} theme="system" standAlone>
      <StartForm onOpen={(page) => (location.hash = printPageProperties(page))} />
    </Surface>
  );
}
