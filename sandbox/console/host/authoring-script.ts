import type { ExtensionPlace } from '@repoless/contract/extension.ts';
import type { Settings } from '../settings.ts';

/**
 * Loads the script that the content package installs in an authoring system: it opens the extension in a window of its own for
 * each element that says which view (`data-repoless-view`). The package sets the place of the extension, here the sandbox does.
 */
export function loadAuthoringScript({ extension }: Settings): void {
  const place: ExtensionPlace = { extension: extension.address };
  Object.assign(window, { repoless: place });
  const script = document.createElement('script');
  script.src = '/apps/repoless/clientlibs/site-setup/js/site-setup.js';
  document.head.append(script);
}
