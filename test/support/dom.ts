import { WELCOMED } from '@repoless/extension/app/shell/welcomed.ts';
import { cleanup, configure, getConfig, prettyDOM } from '@testing-library/react';
import { afterEach, beforeEach, expect, vi } from 'vitest';

// What jsdom lacks: sizes and escaped selectors, which Spectrum's collections ask for, and scrolling, which a real browser is asked about.
Object.defineProperties(HTMLElement.prototype, {
  clientWidth: { configurable: true, get: () => 1000 },
  clientHeight: { configurable: true, get: () => 1000 },
  scrollIntoView: { configurable: true, writable: true, value: () => undefined },
});
// axe asks for a canvas to look at icons made of letters, of which there are none.
HTMLCanvasElement.prototype.getContext = () => null;
vi.stubGlobal('CSS', { ...globalThis.CSS, escape: (text: string) => text.replace(/[^a-zA-Z0-9_-]/g, (character) => `\\${character}`) });

// A part of a view that is loaded when it is first needed takes its time on a machine that is busy. What is waited for is looked for again at
// each change of the document, which is printed for the last time alone.
configure({
  asyncUtilTimeout: 20_000,
  getElementError: (message, container) => {
    const isLookedForAgain = Reflect.get(getConfig(), '_disableExpensiveErrorDiagnostics') === true;
    const error = new Error([message, isLookedForAgain ? '' : prettyDOM(container)].filter(Boolean).join('\n\n'));
    error.name = 'TestingLibraryElementError';
    return error;
  },
});

const complaints: string[] = [];

beforeEach(() => {
  // The welcome is for a first visit.
  localStorage.setItem(WELCOMED, 'true');
  complaints.length = 0;
  vi.spyOn(console, 'error').mockImplementation((...args: unknown[]) => void complaints.push(args.map(String).join(' ')));
  vi.spyOn(console, 'warn').mockImplementation((...args: unknown[]) => void complaints.push(args.map(String).join(' ')));
});

/** A view that makes React or Spectrum complain is wrong, whatever it shows. What it stored, and where it went, is gone with it: files share a window. */
afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
  history.replaceState(null, '', location.pathname);
  expect(complaints).toEqual([]);
});
