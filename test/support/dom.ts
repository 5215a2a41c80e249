import { WELCOMED } from '@repoless/extension/host/storage.ts';
import { cleanup, configure, getConfig, prettyDOM } from '@testing-library/react';
import { afterEach, beforeEach, expect, vi } from 'vitest';

// What jsdom lacks: sizes and escaped selectors, which Spectrum's collections use, and scrolling, which the browser tests cover.
Object.defineProperties(HTMLElement.prototype, {
  clientWidth: { configurable: true, get: () => 1000 },
  clientHeight: { configurable: true, get: () => 1000 },
  scrollIntoView: { configurable: true, writable: true, value: () => undefined },
});
// On a phone's screen, Spectrum renders another kind of picker.
Object.defineProperty(window.screen, 'width', { configurable: true, value: 1280 });
// axe requests a canvas to examine icon fonts, which are not used.
HTMLCanvasElement.prototype.getContext = () => null;
vi.stubGlobal('CSS', { ...globalThis.CSS, escape: (text: string) => text.replace(/[^a-zA-Z0-9_-]/g, (character) => `\\${character}`) });

// Lazily loaded parts of a view take long on a busy machine. Queries that wait run again at each change of the document; only the last
// failure prints the document.
configure({
  asyncUtilTimeout: 20_000,
  getElementError: (message, container) => {
    const isRetried = Reflect.get(getConfig(), '_disableExpensiveErrorDiagnostics') === true;
    const error = new Error([message, isRetried ? '' : prettyDOM(container)].filter(Boolean).join('\n\n'));
    error.name = 'TestingLibraryElementError';
    return error;
  },
});

const complaints: string[] = [];

beforeEach(() => {
  // Skips the welcome of a first visit.
  localStorage.setItem(WELCOMED, 'true');
  complaints.length = 0;
  vi.spyOn(console, 'error').mockImplementation((...args: unknown[]) => void complaints.push(args.map(String).join(' ')));
  vi.spyOn(console, 'warn').mockImplementation((...args: unknown[]) => void complaints.push(args.map(String).join(' ')));
});

/** A view with warnings of React or Spectrum fails. Storage and address are reset, because files share a window. */
afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
  history.replaceState(null, '', location.pathname);
  expect(complaints).toEqual([]);
});
