import { apiErrorOf, decryptCredential, getConfig } from "@/api";
import { personalEndpoints } from "@/calls/personal";
import { readToken } from "@/session/cookies";
import type { AppStore } from "@/store";
import { Credentials, type StorageGrant } from "@/transfer/credentials";
import { StorageError } from "@/transfer/errors";
import { S3Multipart } from "@/transfer/s3";

export interface Storage {
  credentials: Credentials;
  store: S3Multipart;
}

const cache = new WeakMap<AppStore, Map<string, Storage>>();

/** The object store for this user; all uploads of the page share the keys. */
export function storageOf(store: AppStore, userId: string): Storage {
  const ofStore = cache.get(store) ?? new Map<string, Storage>();
  cache.set(store, ofStore);
  const known = ofStore.get(userId);
  if (known) return known;
  const credentials = new Credentials(() => loadGrant(store, userId));
  const made = { credentials, store: new S3Multipart((options) => credentials.signer(options)) };
  ofStore.set(userId, made);
  return made;
}

/** Requests temporary keys of the object store and decrypts them. Throws when any field is missing or damaged. */
async function loadGrant({ dispatch }: AppStore, userId: string): Promise<StorageGrant> {
  const answer = await dispatch(personalEndpoints.getHuaweiParam.initiate({}, { track: false }))
    .unwrap()
    .catch((error: unknown) => {
      const unanswered = apiErrorOf(error)?.kind === "network";
      throw unanswered ? new StorageError("transient", "the gateway did not answer") : error;
    });
  const { ak, sk, securityToken, server, privateBucket, expiration } = answer;
  if (!ak || !sk || !server || !privateBucket || !expiration)
    throw new Error("upload parameters are incomplete");
  const token = readToken();
  const { clientId } = getConfig();
  const open = (field: string, value: string) => decryptCredential(field, value, token, userId, clientId);
  return {
    ak: open("ak", ak),
    sk: open("sk", sk),
    securityToken: securityToken ? open("securityToken", securityToken) : "",
    server: open("server", server),
    privateBucket: open("privateBucket", privateBucket),
    expiration,
  };
}
