import { StorageError } from "./errors";
import type { StoreLocation } from "./s3";
import type { Signer } from "./sigv4";

/** Decrypted response of getHuaweiParam. */
export interface StorageGrant {
  ak: string;
  sk: string;
  securityToken: string;
  server: string;
  privateBucket: string;
  /** milliseconds since 1970; a key is not used in its last two minutes */
  expiration: number;
}

export class CredentialsError extends Error {
  constructor() {
    super("upload parameters are not available");
    this.name = "CredentialsError";
  }
}

const MARGIN_MS = 2 * 60_000;
/** The embedded store and most S3-compatible ones accept any region, if it is the same on both sides. */
const REGION = "us-east-1";

/**
 * Temporary keys, fetched on first use and again shortly before they expire, so that an upload may take any time.
 * Parallel parts share one request.
 */
export class Credentials {
  private grant: StorageGrant | undefined;
  private pending: Promise<StorageGrant> | undefined;

  constructor(
    private readonly load: () => Promise<StorageGrant>,
    private readonly now: () => number = Date.now,
  ) {}

  async get({ renew = false }: { renew?: boolean } = {}): Promise<StorageGrant> {
    if (!renew && this.grant && this.grant.expiration - MARGIN_MS > this.now()) return this.grant;
    this.pending ??= this.load().then(
      (grant) => {
        this.grant = grant;
        this.pending = undefined;
        return grant;
      },
      (error: unknown) => {
        this.pending = undefined;
        // no response is a network failure, which is transient
        throw error instanceof StorageError ? error : new CredentialsError();
      },
    );
    return this.pending;
  }

  async signer(options?: { renew?: boolean }): Promise<Signer & StoreLocation> {
    const grant = await this.get(options);
    return {
      accessKeyId: grant.ak,
      secretAccessKey: grant.sk,
      sessionToken: grant.securityToken || undefined,
      region: REGION,
      server: grant.server,
      bucket: grant.privateBucket,
    };
  }
}
