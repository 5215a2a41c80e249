import { HostCall, ModalRequest } from './guest-api.ts';

/** What the extension learns of its host. `token` is absent where the sign-in is not shared. */
export interface SharedContext {
  readonly locale: string;
  readonly theme: 'light' | 'dark';
  readonly orgId: string;
  readonly token?: string;
  readonly authScheme?: 'Bearer';
}

/** The editor's state, in the shape of the real host. */
export interface EditorState {
  readonly connections: Readonly<Record<string, string>>;
  readonly selected: Readonly<Record<string, boolean>>;
  readonly editables: readonly { readonly id: string; readonly resource: string; readonly type: string; readonly label: string }[];
  readonly location: string;
  readonly customTokens: Readonly<Record<string, string>>;
}

/** What the host can do for an extension; read at each call, so that the answers are never stale. */
export interface HostActions {
  context(): SharedContext;
  editor(): EditorState;
  showModal(request: ModalRequest): void;
  closeModal(): void;
  refreshPage(): void;
  navigateTo(address: string): void;
}

export interface ExtensionIdentity {
  readonly id: string;
  readonly url: string;
}

/** The object that the host offers to each frame of an extension, as the published guest library expects it. */
export function hostApi(extension: ExtensionIdentity, backend: string, actions: HostActions, onResize: (height: number) => void) {
  return {
    getSharedContext: () => ({ ...actions.context() }),
    getConfiguration: () => ({ backend, [extension.id]: { service: backend, backend } }),
    invokeHostMethod: (address: unknown) => {
      const call = HostCall.parse(address);
      const name = [...call.path, call.name].join('.');
      const method = methods(actions)[name];
      if (method === undefined) throw new Error(`The host has no method "${name}".`);
      // The real host puts the caller first, before what the caller passed.
      return method(extension, ...call.args) ?? null;
    },
    onIframeResize: (size: { height: number }) => {
      if (Number.isFinite(size.height)) onResize(size.height);
    },
  };
}

type HostMethod = (caller: ExtensionIdentity, ...args: readonly unknown[]) => unknown;

function methods(actions: HostActions): Readonly<Record<string, HostMethod>> {
  return {
    'modal.showUrl': (_caller, request) => actions.showModal(ModalRequest.parse(request)),
    'modal.close': () => actions.closeModal(),
    'editorState.get': () => ({ ...actions.editor() }),
    'editorActions.refreshPage': () => actions.refreshPage(),
    'editorActions.navigateTo': (_caller, address) => actions.navigateTo(String(address)),
    'editorActions.selectEditables': () => undefined,
  };
}
