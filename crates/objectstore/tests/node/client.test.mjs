// The AWS SDK for JavaScript against the store. Run by tests/it/node.rs, which starts the store and passes URL and
// credentials in STORE.
import { test } from "node:test";
import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import {
  S3Client,
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  PutObjectCommand,
  UploadPartCommand,
  paginateListObjectsV2,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";

const store = JSON.parse(process.env.STORE);
const Bucket = "xuanlan-private";
const PART = 5 * 1024 * 1024;
const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

function client(keys, options = {}) {
  return new S3Client({
    endpoint: store.endpoint,
    region: "us-east-1",
    forcePathStyle: true,
    credentials: {
      accessKeyId: keys.access_key,
      secretAccessKey: keys.secret_key,
      sessionToken: keys.session_token,
    },
    ...options,
  });
}

const one = client(store.one);
const renewed = client(store.renewed);
const two = client(store.two);
const root = client(store.root);

const refused = (code) => (error) => {
  assert.equal(error.name, code);
  return true;
};

test("two multipart uploads at once, several parts at a time", async () => {
  const bodies = [randomBytes(3 * PART + 12345), randomBytes(2 * PART)];
  await Promise.all(
    bodies.map(async (Body, n) => {
      const Key = `u/1/模型 ${n}.glb`;
      const upload = new Upload({ client: one, params: { Bucket, Key, Body }, partSize: PART, queueSize: 3 });
      const done = await upload.done();
      assert.match(done.ETag, /-\d+"$/);
      const head = await one.send(new HeadObjectCommand({ Bucket, Key }));
      assert.equal(head.Metadata.sha256, sha256(Body));
      assert.equal(head.ContentLength, Body.length);
      const got = await one.send(new GetObjectCommand({ Bucket, Key }));
      assert.equal(sha256(await got.Body.transformToByteArray()), sha256(Body));
      const range = await one.send(new GetObjectCommand({ Bucket, Key, Range: `bytes=${PART - 5}-${PART + 4}` }));
      assert.deepEqual(Buffer.from(await range.Body.transformToByteArray()), Body.subarray(PART - 5, PART + 5));
    }),
  );
});

test("a stream of unknown checksum goes as aws-chunked with a trailer", async () => {
  const Body = randomBytes(300_000);
  for (const algorithm of ["CRC32", "CRC32C", "CRC64NVME", "SHA1", "SHA256"]) {
    const Key = `u/1/stream-${algorithm}`;
    const stream = Readable.from([Body.subarray(0, 100_000), Body.subarray(100_000)]);
    await one.send(
      new PutObjectCommand({ Bucket, Key, Body: stream, ContentLength: Body.length, ChecksumAlgorithm: algorithm }),
    );
    const got = await one.send(new GetObjectCommand({ Bucket, Key, ChecksumMode: "ENABLED" }));
    assert.equal(sha256(await got.Body.transformToByteArray()), sha256(Body));
    assert.equal(got.ChecksumSHA256, createHash("sha256").update(Body).digest("base64"));
  }
});

test("an upload goes on with renewed credentials and shows what it has", async () => {
  const Key = "u/1/resumed";
  const parts = [randomBytes(PART), randomBytes(PART), randomBytes(7)];
  const { UploadId } = await one.send(new CreateMultipartUploadCommand({ Bucket, Key, ChecksumAlgorithm: "CRC32" }));
  await one.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber: 1, Body: parts[0] }));
  const open = await renewed.send(new ListMultipartUploadsCommand({ Bucket, Prefix: "u/1/" }));
  assert.deepEqual(open.Uploads.map((upload) => upload.UploadId), [UploadId]);
  for (const PartNumber of [3, 2]) {
    const Body = parts[PartNumber - 1];
    await renewed.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body }));
  }
  const listed = await renewed.send(new ListPartsCommand({ Bucket, Key, UploadId }));
  assert.deepEqual(listed.Parts.map((part) => part.Size), [PART, PART, 7]);
  const Parts = listed.Parts.map(({ ETag, PartNumber }) => ({ ETag, PartNumber }));
  const complete = new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } });
  const first = await renewed.send(complete);
  assert.equal((await renewed.send(complete)).ETag, first.ETag);
  const head = await renewed.send(new HeadObjectCommand({ Bucket, Key }));
  assert.equal(head.Metadata.sha256, sha256(Buffer.concat(parts)));
});

test("another user sees and reaches nothing", async () => {
  await one.send(new PutObjectCommand({ Bucket, Key: "u/1/secret", Body: "secret" }));
  const Key = "u/1/secret";
  await assert.rejects(two.send(new GetObjectCommand({ Bucket, Key })), refused("AccessDenied"));
  await assert.rejects(two.send(new PutObjectCommand({ Bucket, Key, Body: "x" })), refused("AccessDenied"));
  await assert.rejects(two.send(new ListMultipartUploadsCommand({ Bucket, Prefix: "u/1/" })), refused("AccessDenied"));
  const { UploadId } = await one.send(new CreateMultipartUploadCommand({ Bucket, Key }));
  const upload = { Bucket, Key, UploadId };
  await assert.rejects(two.send(new ListPartsCommand(upload)), refused("AccessDenied"));
  await assert.rejects(two.send(new AbortMultipartUploadCommand(upload)), refused("AccessDenied"));
  await assert.rejects(two.send(new ListPartsCommand({ ...upload, Key: "u/2/secret" })), refused("NoSuchUpload"));
  await one.send(new AbortMultipartUploadCommand(upload));
  await assert.rejects(one.send(new ListPartsCommand(upload)), refused("NoSuchUpload"));
});

test("the root key lists, copies and removes", async () => {
  const Delete = { Objects: [] };
  for (let n = 0; n < 25; n += 1) {
    const Key = `u/3/n&<${String(n).padStart(2, "0")}>`;
    await root.send(new PutObjectCommand({ Bucket, Key, Body: String(n) }));
    Delete.Objects.push({ Key });
  }
  const seen = [];
  for await (const page of paginateListObjectsV2({ client: root, pageSize: 10 }, { Bucket, Prefix: "u/3/" })) {
    seen.push(...page.Contents.map((object) => object.Key));
  }
  assert.deepEqual(seen, Delete.Objects.map((object) => object.Key));
  const CopySource = `${Bucket}/${encodeURIComponent(seen[7])}`;
  await root.send(new CopyObjectCommand({ Bucket, Key: "u/4/副本", CopySource }));
  const copy = await root.send(new GetObjectCommand({ Bucket, Key: "u/4/副本" }));
  assert.equal(await copy.Body.transformToString(), "7");
  const removed = await root.send(new DeleteObjectsCommand({ Bucket, Delete }));
  assert.equal(removed.Deleted.length, 25);
});

test("presigned by the SDK with temporary credentials", async () => {
  const Key = "u/1/签名.bin";
  const put = await getSignedUrl(one, new PutObjectCommand({ Bucket, Key }), { expiresIn: 60 });
  const stored = await fetch(put, { method: "PUT", body: "content" });
  assert.equal(stored.status, 200, await stored.text());
  const ResponseContentDisposition = "attachment; filename*=UTF-8''%E6%A8%A1%E5%9E%8B.glb";
  const get = await getSignedUrl(one, new GetObjectCommand({ Bucket, Key, ResponseContentDisposition }), { expiresIn: 60 });
  const got = await fetch(get);
  assert.equal(got.headers.get("content-disposition"), ResponseContentDisposition);
  assert.equal(await got.text(), "content");
  const foreign = await getSignedUrl(one, new GetObjectCommand({ Bucket, Key: "u/3/x" }), { expiresIn: 60 });
  assert.equal((await fetch(foreign)).status, 403);
});
