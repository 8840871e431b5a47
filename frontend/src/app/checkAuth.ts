import { type LoaderFunctionArgs, redirect } from "react-router";
import { readLoginId, readToken } from "@/session/cookies";
import { loginAddress } from "@/session/returnUrl";

/**
 * Guard of the pages that require login: without a login id the visitor goes to the login system, which
 * returns to `returnURL`.
 */
export function checkAuth({ request }: Pick<LoaderFunctionArgs, "request">): null {
  if (readLoginId() && readToken()) return null;
  const url = new URL(request.url);
  const target = loginAddress(`${url.pathname}${url.search}${url.hash}`);
  throw redirect(target.href);
}
