import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { Button } from '@adobe/react-spectrum/Button';
import { Heading } from '@adobe/react-spectrum/Heading';
import { StatusLight } from '@adobe/react-spectrum/StatusLight';
import { useEffect, useMemo, useRef, useState } from 'react';
import { saveEdgeSettings, usePageProperties } from '../authoring/page-properties.ts';
import { useTree, ContentTree } from './ContentTree.tsx';
import { ExtensionFrame, ExtensionModal } from './ExtensionModal.tsx';
import {
  editorState,
  type ExtensionIdentity,
  type ExtensionState,
  type HeaderButton,
  type HostActions,
  type ModalRequest,
  type Rail,
  type SharedContext,
  useExtension,
} from '../host/host-api.ts';
import { type Preferences, useSelection } from '../session/preferences.ts';
import type { Session } from '../session/use-session.ts';
import type { Settings } from '../settings.ts';
import { PageEditor } from './PageEditor.tsx';
import { PagePropertiesPanel } from './PagePropertiesPanel.tsx';
import { SimulateFaults } from './SimulateFaults.tsx';
import { TopBar } from './TopBar.tsx';

interface WorkspaceProps {
  readonly settings: Settings;
  readonly session: Session;
  readonly preferences: Preferences;
  onPreferences(change: Partial<Preferences>): void;
  signOut(): void;
}

/** The console after signing in: tree, page properties, and the extension in its frames. */
export function Workspace({ settings, session, preferences, onPreferences, signOut }: WorkspaceProps) {
  const environment = settings.environments.find(({ id }) => id === preferences.environment) ?? firstOf(settings.environments);
  const author = useMemo(() => ({ environment, token: session.token }), [environment, session.token]);
  const [selected, select] = useSelection();
  const [reading, setReading] = useState(0);
  const [modal, setModal] = useState<ModalRequest>();
  const [rail, setRail] = useState<Rail>();
  const [editor, setEditor] = useState<{ readonly path: string; readonly isOpen: boolean }>();
  const tree = useTree(author, selected);
  const page = usePageProperties(author, selected, reading);
  const context = useMemo(() => sharedContext(settings, session, preferences), [settings, session, preferences]);
  const { extension, onConnected, onFailed } = useExtension(context);

  const current = useRef({ context, environment, selected });
  useEffect(() => {
    current.current = { context, environment, selected };
  }, [context, environment, selected]);
  const reload = () => setReading((count) => count + 1);
  const [actions] = useState<HostActions>(() => ({
    context: () => current.current.context,
    editor: () => editorState(current.current.environment, current.current.selected),
    showModal: setModal,
    closeModal: () => {
      setModal(undefined);
      reload();
    },
    refreshPage: reload,
    navigateTo: (address) => select(pagePathOf(address)),
  }));
  const identity = { id: settings.extension.id, url: settings.extension.address };
  const host = { extension: identity, backend: settings.backend, actions };

  return (
    <div className="workspace">
      <header>
        <TopBar
          environments={settings.environments}
          preferences={{ ...preferences, environment: environment.id }}
          session={session}
          onPreferences={onPreferences}
          onSignOut={signOut}
        />
        <div className="header-menu" role="toolbar" aria-label="Extensions">
          <HeaderMenu extension={extension} address={identity.url} openRail={rail?.id} onRail={setRail} />
          <span className="spring" />
          <SimulateFaults systems={settings.systems} hosted={settings.hosted} />
        </div>
      </header>
      <div className={rail === undefined ? 'panes' : 'panes with-rail'}>
        <ContentTree
          tree={tree}
          selected={selected}
          onSelect={(path) => {
            setEditor(undefined);
            select(path);
          }}
        />
        <main className="page" tabIndex={0} aria-label="Page">
          {page.state === 'ready' && editor?.isOpen === true && page.properties.path === editor.path ? (
            <PageEditor
              author={author}
              settings={settings}
              properties={page.properties}
              onClose={() => setEditor({ ...editor, isOpen: false })}
            />
          ) : (
            <PagePropertiesPanel
              page={page}
              author={environment.address}
              onSave={(before, values) => saveEdgeSettings(author, before, values)}
              onReload={reload}
              wasInEditor={editor?.isOpen === false}
              onOpenEditor={(path) => setEditor({ path, isOpen: true })}
            />
          )}
        </main>
        {rail !== undefined && <RailPanel key={rail.id} rail={rail} {...host} onClose={() => setRail(undefined)} />}
      </div>
      <ExtensionModal request={modal} {...host} />
      <div hidden>
        <ExtensionFrame
          {...host}
          url="index.html"
          title="Extension registration"
          className="registration"
          onConnected={onConnected}
          onFailed={onFailed}
        />
      </div>
    </div>
  );
}

function sharedContext(settings: Settings, session: Session, preferences: Preferences): SharedContext {
  const { locale, theme } = preferences;
  const shared = { locale, theme, orgId: settings.organization };
  return preferences.sharesSignIn ? { ...shared, token: session.token, authScheme: 'Bearer' } : shared;
}

function pagePathOf(address: string): string | undefined {
  const path = URL.canParse(address) ? new URL(address).pathname : address;
  return path.startsWith('/content/') ? path.replace(/\.html$/, '') : undefined;
}

function firstOf<T>(items: readonly T[]): T {
  const [first] = items;
  if (first === undefined) throw new Error('The console has no environment to show.');
  return first;
}

interface RailPanelProps {
  readonly rail: Rail;
  readonly extension: ExtensionIdentity;
  readonly backend: string;
  readonly actions: HostActions;
  onClose(): void;
}

/** A rail of the extension on the right; like in the real host it is recreated each time it is opened. */
function RailPanel({ rail, extension, backend, actions, onClose }: RailPanelProps) {
  return (
    <aside className="rail" aria-label={rail.header}>
      <div className="rail-header">
        <Heading level={2}>{rail.header}</Heading>
        <ActionButton isQuiet onPress={onClose} aria-label={`Close ${rail.header}`}>
          Close
        </ActionButton>
      </div>
      <ExtensionFrame extension={extension} backend={backend} actions={actions} url={rail.url} title={rail.header} className="rail-frame" />
    </aside>
  );
}

interface HeaderMenuProps {
  readonly extension: ExtensionState;
  readonly address: string;
  readonly openRail: string | undefined;
  onRail(rail: Rail | undefined): void;
}

/** The buttons that the extension adds to the console's header, and the toggles of its rails. */
function HeaderMenu({ extension, address, openRail, onRail }: HeaderMenuProps) {
  switch (extension.state) {
    case 'connecting':
      return <StatusLight variant="neutral">Connecting the extension…</StatusLight>;
    case 'failed':
      return <StatusLight variant="negative">{`The extension at ${address} does not respond. Load the page again.`}</StatusLight>;
    case 'ready':
      return (
        <>
          {extension.buttons.map((button) => (
            <Button
              key={button.id}
              variant={button.variant === 'action' || button.variant === 'primary' ? 'primary' : 'accent'}
              onPress={() => press(button)}
            >
              {button.label}
            </Button>
          ))}
          {extension.rails.map((rail) => (
            <ActionButton key={rail.id} aria-pressed={openRail === rail.id} onPress={() => onRail(openRail === rail.id ? undefined : rail)}>
              {rail.header}
            </ActionButton>
          ))}
        </>
      );
    default:
      return extension satisfies never;
  }
}

function press(button: HeaderButton): void {
  button.onClick().catch((error: unknown) => console.error(`The extension's button "${button.id}" failed.`, error));
}
