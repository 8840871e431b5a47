import { useState } from "react";
import type { TransactionMakerListing } from "@/calls/transaction";
import { picked, rebased, touched, type Values, valuesOf } from "./rules";

interface Input {
  /** What is saved, as far as the form knows. */
  base: Values;
  revision: number;
  values: Values;
  /** What fields say elsewhere that were changed on both sides. */
  elsewhere: Partial<Values>;
  /** Something was changed elsewhere while there was unsaved input. */
  overtaken: boolean;
}

const startOf = (found: TransactionMakerListing): Input => {
  const values = valuesOf(found);
  return { base: values, revision: found.revision, values, elsewhere: {}, overtaken: false };
};

function onto(old: Input, found: TransactionMakerListing): Input {
  const base = valuesOf(found);
  const { values, elsewhere } = rebased(old.base, old.values, base);
  // A field stays marked, as it is now, until both sides say the same.
  const differs = touched(base, values);
  const marked = differs.filter((field) => field in old.elsewhere || field in elsewhere);
  const unsaved = touched(old.base, old.values).length > 0;
  return {
    base,
    revision: found.revision,
    values,
    elsewhere: picked(base, marked),
    overtaken: old.overtaken || (unsaved && touched(old.base, base).length > 0),
  };
}

/** The input of a form about a listing, which another window or an operator may change meanwhile. */
export function useValues(found: TransactionMakerListing) {
  const [input, setInput] = useState(() => startOf(found));
  const [saving, setSaving] = useState(false);
  // An older answer, on its way when a newer one arrived, says nothing.
  if (!saving && found.revision > input.revision) setInput((old) => onto(old, found));

  const set = <Name extends keyof Values>(name: Name, value: Values[Name]) =>
    setInput((old) => ({ ...old, values: { ...old.values, [name]: value } }));

  /** Runs a call that saves these fields; others, and what is typed meanwhile, stay. Returns whether it was saved. */
  async function keep(
    fields: Partial<Record<keyof Values, unknown>>,
    save: () => Promise<TransactionMakerListing | undefined>,
  ): Promise<boolean> {
    const sent = { ...input.base, ...picked(input.values, Object.keys(fields) as (keyof Values)[]) };
    setSaving(true);
    try {
      const reply = await save();
      if (!reply) return false;
      setInput((old) => ({ ...startOf(reply), values: rebased(sent, old.values, valuesOf(reply)).values }));
      return true;
    } finally {
      setSaving(false);
    }
  }

  // Where one side's words were taken over there is nothing left to tell.
  const differs = touched(input.base, input.values);
  const elsewhere = picked(
    input.base,
    differs.filter((field) => field in input.elsewhere),
  );
  return { ...input, elsewhere, unsaved: differs.length > 0, saving, set, keep };
}
