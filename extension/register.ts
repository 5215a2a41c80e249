import { createGuest } from '@adobe/uix-guest';
import { createCatalogues } from '@repoless/core/messages/catalogue.ts';
import { callHost, editedPage, hostMethods, readSharedContext, sendContext } from './host/guest.ts';
import { EXTENSION_ID, fitLocale } from './host/host.ts';
import { printPageProperties, SYNC_STATUS } from './routes.ts';

/** Runs in the host's hidden frame: registers the buttons, opens the modal, forwards context changes. */
export function registerExtension(): void {
  const catalogueOf = createCatalogues();
  const guest = createGuest({ id: EXTENSION_ID });
  const methods = {
    headerMenu: {
      getButtons: async () => {
        const { button } = await messages();
        return [{ id: 'page-properties', label: button, icon: 'PublishCheck', onClick: () => void open() }];
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
  guest.addEventListener('contextchange', (event) => sendContext(event.detail.context));

  /** In the host's locale: it requests labels as soon as it is connected, and its context arrives later. */
  async function messages() {
    await connected.catch(() => undefined);
    const { locale } = readSharedContext((key) => guest.sharedContext?.get(key));
    const { general } = await catalogueOf(locale ?? fitLocale(navigator.language)).read('first-view');
    return general.register;
  }

  /** Opens the site of the open page, from where everything else can be reached. */
  async function open(): Promise<void> {
    const host = hostMethods(guest);
    const page = editedPage(await callHost(() => host.editorState.get()));
    const { button } = await messages();
    await callHost(() =>
      host.modal.showUrl({
        url: addressOf(printPageProperties(page)),
        title: button,
        width: '1320px',
        height: '90vh',
        isDismissable: true,
      }),
    );
  }
}

/** A route as the absolute address that the host needs. */
function addressOf(route: string): string {
  return new URL(route, new URL('.', location.href)).href;
}
