mod punctuation;
