/** What the host offers, as far as this extension calls it. Arguments and answers cross as plain data. */
export interface HostMethods {
  readonly modal: {
    showUrl(options: {
      readonly url: string;
      readonly title: string;
      readonly width: string;
      readonly isDismissable: boolean;
    }): Promise<unknown>;
    close(): Promise<unknown>;
  };
  readonly editorState: { get(): Promise<unknown> };
}

/** The answer of a host method, or undefined when it does not come: the library asks on and on for a method that is missing. */
export async function askHost<T>(call: () => Promise<T>, patience = 3000): Promise<T | undefined> {
  const { promise: tooLate, resolve } = timer(patience);
  try {
    return await Promise.race([call(), tooLate]);
  } catch {
    return undefined;
  } finally {
    resolve();
  }
}

function timer(milliseconds: number): { promise: Promise<undefined>; resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<undefined>((done) => {
    const id = setTimeout(() => done(undefined), milliseconds);
    resolve = () => clearTimeout(id);
  });
  return { promise, resolve };
}

/** The library types the host's methods as anything; these are the ones we call, each guarded by `askHost`. */
export function hostMethods(guest: { readonly host: unknown }): HostMethods {
  return guest.host as HostMethods;
}
