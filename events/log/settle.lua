-- Clear a game's due mark unless the game has moved on since. KEYS due; ARGV game, version looked at.
local mark = redis.call('HGET', KEYS[1], ARGV[1])
if mark and tonumber(mark) <= tonumber(ARGV[2]) then return redis.call('HDEL', KEYS[1], ARGV[1]) end
return 0
