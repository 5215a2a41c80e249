import { register } from '@adobe/uix-guest';
import { tellContext } from './host/context-channel.ts';
import { editedPage } from './host/edited-page.ts';
import { askHost, hostMethods } from './host/guest.ts';
import { EXTENSION_ID } from './host/service-address.ts';
import { fitLocale, readSharedContext } from './host/shared-context.ts';
import { printView, SYNC_STATUS } from './routes.ts';
import type { PageView } from './routes.ts';
import { wordsFor } from './words/words.ts';

/** Runs in the host's hidden frame: says what buttons there are, opens the modal, passes context changes on. */
export async function registerExtension(): Promise<void> {
  const guest = await register({
    id: EXTENSION_ID,
    methods: {
      headerMenu: {
        getButtons: async () => [
          { id: 'page-properties', label: words().register.button, icon: 'PublishCheck', onClick: () => open('page-properties') },
          { id: 'sites', label: words().register.sites, icon: 'Project', onClick: () => open('sites') },
          { id: 'organization', label: words().register.organization, icon: 'ViewList', onClick: () => open('organization') },
        ],
      },
      rightPanel: {
        addRails: async () => [{ id: 'sync-status', header: words().register.rail, url: addressOf(SYNC_STATUS), icon: 'DataRefresh' }],
      },
    },
  });
  guest.addEventListener('contextchange', (event) => tellContext(event.detail.context));

  function words() {
    const { locale } = readSharedContext((key) => guest.sharedContext?.get(key));
    return wordsFor(locale ?? fitLocale(navigator.language)).general;
  }

  async function open(view: Exclude<PageView, 'sync-status'>): Promise<void> {
    const host = hostMethods(guest);
    const page = editedPage(await askHost(() => host.editorState.get()));
    const url = addressOf(printView(view, page));
    const title = words().register.modals[view];
    const width = view === 'page-properties' ? '1080px' : '1320px';
    await askHost(() => host.modal.showUrl({ url, title, width, isDismissable: true }));
  }
}

/** A route as the host needs it: whole. */
function addressOf(route: string): string {
  return new URL(route, new URL('.', location.href)).href;
}
