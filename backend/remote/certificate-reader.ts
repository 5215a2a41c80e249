import { LIMITS } from '@repoless/contract/limits.ts';
import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import type { CertificateReader, HostCertificate } from '../checks/rules/ports.ts';
import { guardedLookup, type InternalAddresses, isInternalAddress, type Resolve } from './guarded-lookup.ts';

/** Reads the certificate that a host presents, and sends nothing. The issuer is not checked: only the expiry and the host name are. */
export function createCertificateReader(internalAddresses: InternalAddresses, resolve: Resolve): CertificateReader {
  return async (host, signal) => {
    if (signal.aborted || !URL.canParse(`https://${host}`)) return undefined;
    const address = new URL(`https://${host}`);
    const name = address.hostname.replace(/^\[|\]$/g, '');
    const isLiteral = isIP(name) !== 0;
    // An IP address needs no look-up.
    if (isLiteral && internalAddresses === 'refuse' && isInternalAddress(name)) return undefined;
    const socket = connect({
      host: name,
      port: address.port === '' ? HTTPS : Number(address.port),
      lookup: guardedLookup(internalAddresses, resolve),
      rejectUnauthorized: false,
      ...(isLiteral ? {} : { servername: name }),
    });
    return await presentedBy(socket, name, signal);
  };
}

function presentedBy(socket: TLSSocket, name: string, signal: AbortSignal): Promise<HostCertificate | undefined> {
  return new Promise((resolve) => {
    const end = (found?: HostCertificate): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', leave);
      socket.destroy();
      resolve(found);
    };
    const leave = (): void => end();
    const timer = setTimeout(leave, LIMITS.certificateTime);
    signal.addEventListener('abort', leave);
    socket.on('error', leave);
    socket.on('close', leave);
    socket.once('secureConnect', () => {
      const certificate = socket.getPeerX509Certificate();
      const ends = new Date(certificate?.validTo ?? Number.NaN);
      if (certificate === undefined || Number.isNaN(ends.getTime())) return end();
      const matched = isIP(name) !== 0 ? certificate.checkIP(name) : certificate.checkHost(name);
      return end({ ends, isForHost: matched !== undefined });
    });
  });
}

const HTTPS = 443;
