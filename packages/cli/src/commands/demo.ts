/** `localharness demo`: a whole turn in a copy of a sample workspace, without any model or server. */
