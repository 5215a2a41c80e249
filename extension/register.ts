import { createGuest } from '@adobe/uix-guest';
import { printView } from '#contract/extension-address.ts';
import type { PageView } from '#contract/extension-address.ts';
import { tellContext } from './host/context-channel.ts';
import { editedPage } from './host/edited-page.ts';
import { askHost, hostMethods } from './host/guest.ts';
import { EXTENSION_ID } from './host/service-address.ts';
import { fitLocale } from './host/fit-locale.ts';
import { readSharedContext } from './host/shared-context.ts';
import { SYNC_STATUS } from './routes.ts';
import { createCatalogues } from './messages/catalogue.ts';

/** Runs in the host's hidden frame: says what buttons there are, opens the modal, passes context changes on. */
export function registerExtension(): void {
  const catalogueOf = createCatalogues();
  const guest = createGuest({ id: EXTENSION_ID });
  const methods = {
    headerMenu: {
      getButtons: async () => {
        const { button, sites, organization } = await messages();
        return [
          { id: 'page-properties', label: button, icon: 'PublishCheck', onClick: () => open('page-properties') },
          { id: 'sites', label: sites, icon: 'Project', onClick: () => open('sites') },
          { id: 'organization', label: organization, icon: 'ViewList', onClick: () => open('organization') },
        ];
      },
    },
    rightPanel: {
      addRails: async () => {
        const { rail } = await messages();
        return [{ id: 'sync-status', header: rail, url: addressOf(SYNC_STATUS), icon: 'DataRefresh' }];
      },
    },
  };
  const connected = guest.register(methods, {});
  guest.addEventListener('contextchange', (event) => tellContext(event.detail.context));

  /** In the host's locale: it asks for labels as soon as it is connected, and its context comes after that. */
  async function messages() {
    await connected.catch(() => undefined);
    const { locale } = readSharedContext((key) => guest.sharedContext?.get(key));
    const { general } = await catalogueOf(locale ?? fitLocale(navigator.language)).read('firstView');
    return general.register;
  }

  async function open(view: Exclude<PageView, 'sync-status'>): Promise<void> {
    const host = hostMethods(guest);
    const page = editedPage(await askHost(() => host.editorState.get()));
    const url = addressOf(printView(view, page));
    const { modals } = await messages();
    const width = view === 'page-properties' ? '1080px' : '1320px';
    await askHost(() => host.modal.showUrl({ url, title: modals[view], width, isDismissable: true }));
  }
}

/** A route as the host needs it: whole. */
function addressOf(route: string): string {
  return new URL(route, new URL('.', location.href)).href;
}
