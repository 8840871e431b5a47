import { decryptCredential, getConfig } from "@/api";
import { personalEndpoints } from "@/calls/personal";
import { readToken } from "@/session";
import type { AppStore } from "@/store";
import { Credentials, type StorageGrant } from "@/transfer/credentials";
import { UploadRecords } from "@/transfer/records";
import { S3Multipart } from "@/transfer/s3";
import type { UploadDeps } from "@/transfer/task";

/** Asks for temporary keys and opens them. Throws when any field is missing or damaged. */
async function loadGrant(store: AppStore, userId: string): Promise<StorageGrant> {
  const answer = await store
    .dispatch(personalEndpoints.personalGetHuaweiParam.initiate({}, { track: false }))
    .unwrap();
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

/** What an upload of this user is made with; keys are shared by all uploads of the page. */
export function uploadDeps(store: AppStore, userId: string): UploadDeps {
  const ofStore = cache.get(store) ?? new Map<string, UploadDeps>();
  cache.set(store, ofStore);
  const known = ofStore.get(userId);
  if (known) return known;
  const credentials = new Credentials(() => loadGrant(store, userId));
  const deps: UploadDeps = {
    credentials,
    store: new S3Multipart((options) => credentials.signer(options)),
    records: new UploadRecords(userId),
  };
  ofStore.set(userId, deps);
  return deps;
}

const cache = new WeakMap<AppStore, Map<string, UploadDeps>>();
