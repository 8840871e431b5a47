import { api, decryptCredential, getConfig } from "@/api";
import type { AppStore } from "@/app/store";
import { readToken } from "@/session";
import { Credentials, type StorageGrant } from "@/upload/credentials";
import { UploadRecords } from "@/upload/records";
import { S3Multipart } from "@/upload/s3";
import type { UploadDeps } from "@/upload/task";

// These calls tell their failures in words of their own; the shared toast would say them twice.
api.enhanceEndpoints({
  endpoints: {
    personalGetHuaweiParam: { extraOptions: { silent: true } },
    personalTextAntispamScan: { extraOptions: { silent: true } },
    processModelChecking: { extraOptions: { silent: true } },
  },
});

/** Asks for temporary keys and opens them. Throws when any field is missing or damaged. */
async function loadGrant(store: AppStore, userId: string): Promise<StorageGrant> {
  const answer = await store
    .dispatch(api.endpoints.personalGetHuaweiParam.initiate({}, { track: false }))
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
