import { listen, type Running } from '@repoless/sandbox/web.ts';
import type { IncomingMessage, RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { type SessionService, startSessionService } from './session-service.ts';

export const CONFIGURATION = '/conf/wknd/settings/cloudconfigs/edge-delivery-service-configuration/jcr:content';
export const AUTHORING_TOKEN = 'authoring-token-of-the-caller';

interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

type Form = Readonly<Record<string, string>> | [string, string][];

/** A service for the tests of a file, with the authoring system that it goes to, and another host to which it must not go. */
class AuthoringProxyWorld {
  service!: SessionService;
  author!: Running;
  elsewhere!: Running;
  host = '';
  token = '';
  /** What reached the authoring system in this test. */
  received: Received[] = [];
  /** How the authoring system answers in this test. */
  answer: RequestListener = answerPage;

  async start(): Promise<void> {
    this.author = await listen(0, (request, response) => {
      void text(request).then((body) => {
        this.received.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
        this.answer(request, response);
      });
    });
    this.elsewhere = await listen(0, (_request, response) => void response.end('elsewhere'));
    const { port } = new URL(this.author.address);
    this.host = `author-p1-e2.authoring.localhost:${port}`;
    this.service = await startSessionService({
      authorHosts: [`*.authoring.localhost:${port}`, 'exact.localhost:1'],
      authorTimeout: 400,
      authorSizeLimit: 2000,
    });
    this.token = await this.service.token('ada.admin@example.com');
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.author.stop();
    await this.elsewhere.stop();
  }

  signedIn(more: Readonly<Record<string, string>> = {}): Record<string, string> {
    return { 'x-auth-token': this.token, 'x-content-source-authorization': `Bearer ${AUTHORING_TOKEN}`, ...more };
  }

  read(path: string, headers = this.signedIn(), at = this.host): Promise<Response> {
    return fetch(`${this.service.address}/authoring/${at}${path}`, { headers });
  }

  write(path: string, form: Form, headers = this.signedIn()): Promise<Response> {
    return fetch(`${this.service.address}/authoring/${this.host}${path}`, { method: 'POST', headers, body: new URLSearchParams(form) });
  }

  /** Refused by the service itself, which says why and tells nobody a token. */
  async expectRefusal(response: Response, status: number, code: string): Promise<void> {
    expect([response.status, response.headers.get('x-error-code')]).toEqual([status, code]);
    expect(response.headers.get('x-relayed')).toBeNull();
    expect(response.headers.get('x-error')).toMatch(/^\S.*\S$/);
    const told = `${await response.text()} ${[...response.headers.values()].join(' ')} ${this.service.logged.join(' ')}`;
    expect(told).not.toContain(AUTHORING_TOKEN);
    expect(told).not.toContain(this.token);
  }
}

/** Starts it before the tests of a file and stops it after them. */
export function useAuthoringProxy(): AuthoringProxyWorld {
  const world = new AuthoringProxyWorld();
  beforeAll(() => world.start());
  afterAll(() => world.stop());
  beforeEach(() => {
    world.received = [];
    world.answer = answerPage;
  });
  return world;
}

const answerPage: RequestListener = (_request, response) =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end('{"jcr:title":"WKND"}');
