import type { Site } from '#contract/site.ts';

export interface SiteName {
  readonly org: string;
  readonly site: string;
}

/** A site whose copy may differ from what is stored. `attempts`: how often it was claimed since it was published last. */
export interface QueuedSite extends SiteName {
  readonly attempts: number;
}

/** What the copy of a site is made of, read at one moment. */
export interface PublishedDocument {
  /** What holds for the site, its profile included: it says who may read the hosts. */
  readonly aggregate: Site;
  /** Undefined where the site has no public part. */
  readonly config: { readonly json: string; readonly etag: string } | undefined;
}

/** `owner` is one for each batch: whoever lost a lease to the same program knows that, too. */
export interface QueueLease {
  readonly place: string;
  readonly owner: string;
  readonly until: Date;
  readonly now: Date;
  /** Leases that end before it are over. */
  readonly leased: Date;
  readonly limit: number;
  /** The organization that had its turn last: those that come behind it by name are next. */
  readonly behind: string;
}

/** Sites whose copy is written, and of which a CDN is to be told. */
export interface WrittenSites {
  readonly sites: readonly SiteName[];
  readonly owner: string;
  /** Who has them from now on; empty where nobody has. */
  readonly as: string;
  /** When they are to be published again, unless they are finished by then. */
  readonly next: Date;
  /** Why they wait, a sentence. */
  readonly problem: string;
}

/** Where the comparison of all sites with the copy stands. */
export interface WholeLook {
  readonly phase: 'sites' | 'objects' | 'done';
  /** What came last: a site, or the key of an object. */
  readonly after: string;
}

/**
 * Sites whose copy is to be written. The database itself adds a site, in the transaction that changes it, once a place is named (decision
 * 0114): nothing is published that was not stored, and nothing that was stored is forgotten. Each change here is durable by itself when its
 * promise resolves.
 */
export interface PublishStore {
  /** From now on changes of sites are queued for this place. One that is not the place of before gets all sites. */
  publishTo(place: string): Promise<void>;
  /** Changes of sites are no longer queued, and nothing waits. */
  stop(): Promise<void>;
  /** Takes sites for oneself, those of all organizations in turn; none where another place was named meanwhile. */
  claim(lease: QueueLease): Promise<QueuedSite[]>;
  document(site: SiteName): Promise<PublishedDocument | undefined>;
  /** The copy of what was claimed is written. Out: those that did not change meanwhile, and so wait no longer. */
  finish(owner: string): Promise<SiteName[]>;
  /**
   * Keeps them waiting without a lease: whoever changes one of them lets it be claimed at once. Out: those that were the owner's and that
   * nobody writes at this moment.
   */
  written(written: WrittenSites): Promise<SiteName[]>;
  /** Gives back one that changed while its copy was written. Out: whether it was still the owner's. */
  again(site: SiteName, owner: string, since: Date): Promise<boolean>;
  failed(site: SiteName, owner: string, next: Date, problem: string): Promise<void>;
  /** Gives back one that was not begun. */
  release(site: SiteName, owner: string): Promise<void>;
  /** Sites whose copy is to be compared, whoever asks for it. */
  queue(sites: readonly SiteName[], now: Date): Promise<void>;
  /** Those of them that are not stored. */
  unknown(sites: readonly SiteName[]): Promise<SiteName[]>;
  /** Whether so many sites wait; it costs the same however many there are. */
  isWaiting(count?: number): Promise<boolean>;
  /** How many wait, and since when the oldest. */
  waiting(): Promise<{ readonly count: number; readonly oldest: Date | undefined }>;
  sites(after: SiteName, limit: number): Promise<SiteName[]>;
  /** Takes the look at all sites for oneself, where one is due; undefined else. */
  claimLook(lease: Omit<QueueLease, 'limit' | 'behind'>): Promise<WholeLook | undefined>;
  /** Where it stands, and when the next one is due; it is given back. */
  lookedUpTo(look: WholeLook, owner: string, due: Date): Promise<void>;
}

/** An object of the copy. */
export interface CopyObject {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly cacheControl: string;
  /** Strong, as the hosts send it, with its quotes. */
  readonly etag: string;
  /** What a CDN is told to forget it by. */
  readonly surrogateKeys: readonly string[];
}

/** An object as it lies there: `tag` names these very bytes; what the place keeps nothing of is left out. */
export interface StoredObject extends Partial<Omit<CopyObject, 'bytes'>> {
  readonly bytes: Uint8Array;
  readonly tag: string;
}

export interface KeyPage {
  readonly keys: readonly string[];
  /** Whether there may be others behind the last of them. */
  readonly hasMore: boolean;
}

/** Where the copy lies. Rejects with Refusal STORAGE_UNAVAILABLE where it does not respond. */
export interface CopyPlace {
  read(key: string, signal?: AbortSignal): Promise<StoredObject | undefined>;
  /** Over the object with this tag, or where none is. Out: false where something else is there by now. */
  write(key: string, object: CopyObject, over: string | undefined, signal?: AbortSignal): Promise<boolean>;
  /** The one with this tag. Out: false where something else is there by now. */
  remove(key: string, over: string, signal?: AbortSignal): Promise<boolean>;
  /** Keys behind this one, in their order, at most so many. A page may have fewer; it has none only where there is nothing behind it. */
  keys(after: string, limit: number): Promise<KeyPage>;
  close(): Promise<void>;
}
