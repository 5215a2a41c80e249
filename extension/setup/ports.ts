import type { Challenge, Org } from '#contract/org.ts';
import type { Profile } from '#contract/session.ts';
import type { ServiceInfo } from '#contract/service.ts';
import type { Site, SiteList } from '#contract/site.ts';
import type { Call } from './plan.ts';
import type { AuthoringSettings } from './settings.ts';
import type { ConfigProbe, FileProbe, Known } from './situation.ts';

/** The configuration service, as setup needs it. Nothing throws: what went wrong is in the answer. */
export interface ServicePort {
  info(): Promise<Known<ServiceInfo>>;
  profile(): Promise<Known<Profile>>;
  organization(org: string): Promise<Known<Org>>;
  site(org: string, site: string): Promise<Known<{ config: Site; etag: string; version: number }>>;
  /** What is stored at a path of the service (query left out), with its etag. */
  stored(path: string): Promise<Known<{ value: unknown; etag: string }>>;
  /** Sites of the organization with their code sources: some of them, not all. */
  sites(org: string): Promise<Known<SiteList>>;
  /** The site as it was in a version; missing where that version records a deletion. */
  version(org: string, site: string, version: number): Promise<Known<Site>>;
  challenge(org: string, repository: string): Promise<Known<Challenge>>;
  claim(org: string): Promise<Known<Org>>;
  /** What a call would store, by a dry run. */
  rehearse(call: Call): Promise<Known<unknown>>;
  send(call: Call): Promise<Known<unknown>>;
}

/** The authoring system through the relay. */
export interface AuthoringPort {
  settings(page: string, info: ServiceInfo): Promise<Known<AuthoringSettings>>;
  page(path: string): Promise<Known<{ path: string; resourceType?: string }>>;
  send(call: Call): Promise<Known<unknown>>;
}

/** The preview and live hosts and the delivery address, read as anybody would. */
export interface HostsPort {
  config(address: string): Promise<ConfigProbe>;
  file(address: string, path: string): Promise<FileProbe>;
  delivery(address: string): Promise<FileProbe>;
}

export interface SetupPorts {
  readonly service: ServicePort;
  readonly authoring: AuthoringPort;
  readonly hosts: HostsPort;
  /** Resolves after so many milliseconds, or at once when the signal aborts. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
  now(): Date;
}
