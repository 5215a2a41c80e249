import { useEffect, useState } from 'react';
import { z } from 'zod';
import type { Environment } from '../settings.ts';

/** What the extension learns about its host. `token` is absent if the sign-in is not shared. */
export interface SharedContext {
  readonly locale: string;
  readonly theme: 'light' | 'dark';
  readonly orgId: string;
  readonly token?: string;
  readonly authScheme?: 'Bearer';
}

/** The editor's state, in the shape of the real host. */
interface EditorState {
  readonly connections: Readonly<Record<string, string>>;
  readonly selected: Readonly<Record<string, boolean>>;
  readonly editables: readonly { readonly id: string; readonly resource: string; readonly type: string; readonly label: string }[];
  readonly location: string;
  readonly customTokens: Readonly<Record<string, string>>;
}

/** What the host does for an extension; evaluated at each call, so that the answers are never stale. */
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
      // The real host puts the caller before the caller's own arguments.
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

/** What an extension registers (service universal-editor/ui/1), as it arrives over the wire: every method returns a promise. */
export interface GuestApi {
  emit?(event: string, detail: unknown): Promise<void>;
  apis?: {
    headerMenu?: { getButtons?(): Promise<unknown> };
    rightPanel?: { addRails?(): Promise<unknown> };
  };
}

const Pressed = z.custom<() => Promise<unknown>>((value) => typeof value === 'function');

export const HeaderButton = z.object({
  id: z.string(),
  label: z.string(),
  icon: z.string().optional(),
  variant: z.string().optional(),
  onClick: Pressed,
});
export type HeaderButton = z.infer<typeof HeaderButton>;

export const Rail = z.object({
  id: z.string(),
  header: z.string(),
  url: z.string(),
  icon: z.string().optional(),
  hotkey: z.string().optional(),
});
export type Rail = z.infer<typeof Rail>;

/** The parameter of `modal.showUrl`; sizes are pixels, or CSS lengths as text. */
export const ModalRequest = z.object({
  url: z.string(),
  title: z.string().optional(),
  width: z.union([z.number(), z.string()]).optional(),
  height: z.union([z.number(), z.string()]).optional(),
  fullscreen: z.boolean().optional(),
  isDismissable: z.boolean().optional(),
  loading: z.boolean().optional(),
});
export type ModalRequest = z.infer<typeof ModalRequest>;

/** A call of the extension to its host: `host.modal.showUrl(x)` is path `["modal"]`, name `showUrl`, arguments `[x]`. */
const HostCall = z.object({ path: z.array(z.string()), name: z.string(), args: z.array(z.unknown()).default([]) });

/** The state of an editor with this page open. */
export function editorState(environment: Environment, path: string | undefined): EditorState {
  const resource = `urn:aemconnection:${path ?? '/content'}/jcr:content`;
  return {
    connections: { aemconnection: `aem:${environment.address}` },
    selected: {},
    editables: path === undefined ? [] : [{ id: 'page', resource, type: 'container', label: 'Page' }],
    location: `${environment.address}${path ?? '/content'}.html`,
    customTokens: {},
  };
}

export type ExtensionState =
  | { readonly state: 'connecting' }
  | { readonly state: 'failed' }
  | { readonly state: 'ready'; readonly buttons: readonly HeaderButton[]; readonly rails: readonly Rail[] };

/** What the hidden registration frame offers; notifies it of every change of the context, as the real host does. */
export function useExtension(context: SharedContext) {
  const [guest, setGuest] = useState<GuestApi>();
  const [extension, setExtension] = useState<ExtensionState>({ state: 'connecting' });
  useEffect(() => {
    void guest?.emit?.('contextchange', { context: { ...context } }).catch(() => undefined);
  }, [guest, context]);
  // Labels are in the host's language: if that changes, they are requested again after the notification.
  const { locale } = context;
  useEffect(() => {
    if (guest === undefined) return undefined;
    let gone = false;
    void offers(guest).then((found) => {
      if (!gone) setExtension(found);
    });
    return () => {
      gone = true;
    };
  }, [guest, locale]);
  return { extension, onConnected: setGuest, onFailed: () => setExtension({ state: 'failed' }) };
}

/** A namespace that the extension does not register is never called: the transport would wait for an answer. */
async function offers(guest: GuestApi): Promise<ExtensionState> {
  try {
    const buttons = z.array(HeaderButton).parse((await guest.apis?.headerMenu?.getButtons?.()) ?? []);
    const rails = z.array(Rail).parse((await guest.apis?.rightPanel?.addRails?.()) ?? []);
    return { state: 'ready', buttons, rails };
  } catch {
    return { state: 'failed' };
  }
}
