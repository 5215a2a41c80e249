import type { Root } from 'react-dom/client';
import { connectFrame } from './host/connect-frame.ts';
import { connectStandAlone } from './host/connect-stand-alone.ts';
import type { HostSource } from './host/host.ts';
import type { Route } from './routes.ts';
import { Panel } from './views/Panel.tsx';
import { StartPage } from './views/StartPage.tsx';
import './views/style.css';
import './views/shared/shared.css';
import './views/page-properties/settings.css';
import './views/page-properties/steps.css';

/** Draws a route. Each call connects to the host once; React's strict mode, which would connect twice, stays off. */
export function renderRoute(root: Root, route: Route, framed: boolean): void {
  if (route.view === 'register' || route.view === 'start') return root.render(<StartPage />);
  const source: HostSource = framed ? connectFrame(route) : connectStandAlone(route);
  const { view, author = '', path = '', org } = route;
  root.render(<Panel key={`${view} ${author} ${path} ${org ?? ''}`} view={view} source={source} framed={framed} organization={org} />);
}
