import { register } from '@adobe/uix-guest';
import { tellContext } from './host/context-channel.ts';
import { editedPage } from './host/edited-page.ts';
import { askHost, hostMethods } from './host/guest.ts';
import { EXTENSION_ID } from './host/service-address.ts';
import { fitLocale, readSharedContext } from './host/shared-context.ts';
import { printPageProperties } from './routes.ts';
import { wordsFor } from './words/words.ts';

/** Runs in the host's hidden frame: says what buttons there are, opens the modal, passes context changes on. */
export async function registerExtension(): Promise<void> {
  const guest = await register({
    id: EXTENSION_ID,
    methods: {
      headerMenu: {
        getButtons: async () => [
          { id: 'page-properties', label: words().register.button, icon: 'PublishCheck', onClick: () => openPageProperties() },
        ],
      },
      rightPanel: { addRails: async () => [] },
    },
  });
  guest.addEventListener('contextchange', (event) => tellContext(event.detail.context));

  function words() {
    const { locale } = readSharedContext((key) => guest.sharedContext?.get(key));
    return wordsFor(locale ?? fitLocale(navigator.language)).general;
  }

  async function openPageProperties(): Promise<void> {
    const host = hostMethods(guest);
    const page = editedPage(await askHost(() => host.editorState.get()));
    const url = new URL(printPageProperties(page), new URL('.', location.href)).href;
    const title = words().register.modal;
    await askHost(() => host.modal.showUrl({ url, title, width: '1080px', isDismissable: true }));
  }
}
